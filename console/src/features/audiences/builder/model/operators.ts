// The operators for a value, and the operand of each.
import { isDuration, type Operand, type Operator, operators } from '@rapport/contract';
import { type FilterJson, isScalar, type Scalar } from './filter-json.ts';

export type ValueType = 'text' | 'number' | 'boolean' | 'time' | 'list';

export const wantedBy = (operator: Operator): Operand => operators[operator].wants;

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** Whether an operator has a complete operand. */
export function isGiven(operator: Operator, value: unknown): boolean {
  switch (wantedBy(operator)) {
    case 'scalar':
      return isScalar(value) && value !== '';
    case 'scalars':
      return Array.isArray(value) && value.length > 0 && value.every(isScalar);
    case 'text':
      return typeof value === 'string' && value !== '';
    case 'flag':
      return typeof value === 'boolean';
    case 'number':
      return isNumber(value);
    case 'range':
      return isRange(value);
    case 'time':
      return typeof value === 'string' && !Number.isNaN(Date.parse(value));
    case 'duration':
      return isDuration(value);
  }
}

function isRange(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [low, high]: unknown[] = value;
  return isNumber(low) && isNumber(high) && low <= high;
}

/** Converts a value for another operator: keeps as much of it as fits. */
export function carryValue(from: unknown, to: Operator): unknown {
  const first: unknown = Array.isArray(from) ? from[0] : from;
  switch (wantedBy(to)) {
    case 'scalar':
      return isScalar(first) && !isDuration(first) ? first : '';
    case 'scalars':
      return Array.isArray(from)
        ? from.filter(isScalar)
        : isScalar(from) && from !== '' && !isDuration(from)
          ? [from]
          : [];
    case 'text':
      return typeof first === 'string' && !isDuration(first) ? first : isNumber(first) ? String(first) : '';
    case 'flag':
      return true;
    case 'number':
      return numberOf(first);
    case 'range':
      return Array.isArray(from) && from.length === 2 ? from : [numberOf(first), undefined];
    case 'time':
      return typeof first === 'string' && isGiven('before', first) && !isNumberText(first) ? first : '';
    case 'duration':
      return isDuration(from) ? from : 'P30D';
  }
}

const isNumberText = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text));

function numberOf(value: unknown): number | undefined {
  if (isNumber(value)) return value;
  return typeof value === 'string' && isNumberText(value) ? Number(value) : undefined;
}

/** Input in the type of the property's values: 10 if those are numbers, "10" if they are text. */
export function readTyped(text: string, types: readonly ValueType[]): Scalar {
  if (types.includes('number') && isNumberText(text)) return Number(text);
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** The operator that most people want first for values of a type. */
export function firstOperator(types: readonly ValueType[], allowed: readonly Operator[]): Operator {
  const usual: readonly Operator[] = ['is', 'gte', 'withinLast'];
  const [type] = types;
  const wanted = usual.filter((each) => allowed.includes(each));
  return wanted.find((each) => operators[each].on === type) ?? wanted[0] ?? allowed[0] ?? 'is';
}

/** The operator of a condition, among those that it may have. */
export function operatorIn(json: FilterJson, allowed: readonly Operator[]): Operator | undefined {
  return allowed.find((operator) => Object.hasOwn(json, operator));
}

/** Replaces the operator, and keeps the value as far as it fits. */
export function withOperator(json: FilterJson, allowed: readonly Operator[], next: Operator): FilterJson {
  const now = operatorIn(json, allowed);
  const { [now ?? '']: value, ...rest } = json;
  return { ...rest, [next]: now === next ? value : carryValue(value, next) };
}

/** Those that make sense for values of these types first; all others are still available. */
export function operatorsFirst(allowed: readonly Operator[], types: readonly ValueType[]): readonly Operator[] {
  const fits = (operator: Operator) => types.length === 0 || usualFor(operator, types);
  return [...allowed.filter(fits), ...allowed.filter((operator) => !fits(operator))];
}

function usualFor(operator: Operator, types: readonly ValueType[]): boolean {
  const { on } = operators[operator];
  if (on === 'any') return true;
  return types.includes(on) || (on === 'text' && types.includes('list'));
}
