// The one operator of a condition on a value.
import { FilterFault, placeOf } from './fault.js';
import {
  type Fields,
  quoted,
  readBoolean,
  readDuration,
  readList,
  readNumber,
  readScalar,
  readText,
  readTime,
} from './read-value.js';
import type { ValueTest } from './tree.js';

export type Operator = ValueTest['op'];

const mostValues = 1000;

export const textOperators: readonly Operator[] = [
  'is',
  'isNot',
  'in',
  'notIn',
  'contains',
  'notContains',
  'startsWith',
  'endsWith',
];
export const timeOperators: readonly Operator[] = ['before', 'after', 'withinLast', 'notWithinLast', 'withinNext'];
export const valueOperators: readonly Operator[] = [
  ...textOperators,
  ...(['exists', 'lt', 'lte', 'gt', 'gte', 'between'] as const),
  ...timeOperators,
];
/** What a property of a contact takes: only of these is the past kept. */
export const propertyOperators: readonly Operator[] = [...valueOperators, 'hasEverBeen'];

/** Reads the operator among `taken`. `beside` are the keys of the condition that are none; any other is refused. */
export function readTest(
  fields: Fields,
  path: string,
  beside: readonly string[],
  taken: readonly Operator[] = valueOperators,
): ValueTest {
  const found: Operator[] = [];
  for (const key of Object.keys(fields)) {
    if (beside.includes(key)) continue;
    const operator = taken.find((one) => one === key);
    if (operator === undefined) throw new FilterFault(placeOf(path, key), whyNot(key, taken));
    found.push(operator);
  }
  const [operator, second] = found;
  if (operator === undefined) throw new FilterFault(path, `an operator is wanted: ${quoted(taken)}`);
  if (second !== undefined) throw new FilterFault(path, `one operator is wanted, not ${quoted(found, 'and')}`);
  return readOperator(operator, fields[operator], placeOf(path, operator));
}

function whyNot(key: string, taken: readonly Operator[]): string {
  const isOperator = propertyOperators.some((operator) => operator === key);
  if (key === 'hasEverBeen') return 'only a property of a contact takes this operator';
  return isOperator ? `this operator cannot stand here, only ${quoted(taken)}` : 'not known here';
}

/** Reads what one operator wants. */
export function readOperator(op: Operator, value: unknown, path: string): ValueTest {
  switch (op) {
    case 'is':
    case 'isNot':
    case 'hasEverBeen':
      return { op, value: readScalar(value, path) };
    case 'in':
    case 'notIn':
      return {
        op,
        values: readList(value, path, 1, mostValues, 'values').map((one, i) => readScalar(one, `${path}[${i}]`)),
      };
    case 'contains':
    case 'notContains':
    case 'startsWith':
    case 'endsWith':
      return { op, text: readText(value, path) };
    case 'exists':
      return { op, value: readBoolean(value, path) };
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return { op, value: readNumber(value, path) };
    case 'between':
      return { op, ...readBounds(value, path) };
    case 'before':
    case 'after':
      return { op, at: readTime(value, path) };
    case 'withinLast':
    case 'notWithinLast':
    case 'withinNext':
      return { op, duration: readDuration(value, path) };
  }
}

function readBounds(value: unknown, path: string): { low: number; high: number } {
  if (!Array.isArray(value) || value.length !== 2) throw new FilterFault(path, 'two numbers are wanted: [low, high]');
  const low = readNumber(value[0], `${path}[0]`);
  const high = readNumber(value[1], `${path}[1]`);
  if (low > high) throw new FilterFault(path, 'the bounds are reversed: the lower one comes first');
  return { low, high };
}
