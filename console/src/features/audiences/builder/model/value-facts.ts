// What a sample of stored values says about a condition on one value.
import { negatedBy, type Operator, operators } from '@rapport/contract';
import type { ValueFacts } from '../suggestions.ts';
import { operatorsOf } from './conditions.ts';
import { type FilterJson, isScalar, type Scalar } from './filter-json.ts';
import { operatorIn } from './operators.ts';

type Facts = Pick<ValueFacts, 'types' | 'values' | 'lookAlikes'>;

interface OtherTypes {
  wanted: 'time' | 'number';
  /** Values of another type, among all. */
  count: number;
  total: number;
  examples: readonly Scalar[];
  /** A negative operator holds for what it cannot read. */
  doMatch: boolean;
}

/** The values that a comparison of dates or numbers cannot read, if there are any. */
export function othersBeside(json: FilterJson, { types }: Facts): OtherTypes | undefined {
  const operator = operatorIn(json, operatorsOf(json));
  const wanted = operator && operators[operator].on;
  if (!operator || (wanted !== 'time' && wanted !== 'number')) return undefined;
  const others = types.filter(({ type }) => type !== wanted);
  const count = others.reduce((sum, each) => sum + each.count, 0);
  if (count === 0) return undefined;
  return {
    ...{ wanted, count },
    total: types.reduce((sum, each) => sum + each.count, 0),
    examples: others.flatMap(({ examples }) => examples).slice(0, 3),
    doMatch: negatedBy(operator) !== undefined,
  };
}

const many: Partial<Record<Operator, Operator>> = { is: 'in', isNot: 'notIn', in: 'in', notIn: 'notIn' };
const mostNamed = 5;
const lookOf = (value: Scalar) => String(value).trim().replace(/\s+/gu, ' ').toLowerCase();
const equality = (operator: Operator | undefined) =>
  operator !== undefined && (operator in many || operator === 'hasEverBeen');

type Counted = Facts['values'][number];

interface Likeness {
  /** The chosen values that others look like. */
  of: readonly Scalar[];
  /** Stored values that look like a chosen one, and are not chosen. */
  others: readonly Counted[];
  /** While nothing is chosen: the values that look alike. */
  groups: readonly (readonly Counted[])[];
}

/** Which stored values look like those of the condition: for a filter each is a value of its own. */
export function likeness(json: FilterJson, { values, lookAlikes }: Facts): Likeness {
  const operator = operatorIn(json, operatorsOf(json));
  const nothing: Likeness = { of: [], others: [], groups: [] };
  if (!operator || !equality(operator)) return nothing;
  const given = json[operator];
  const chosen = (Array.isArray(given) ? given : [given]).filter(isScalar).filter((value) => value !== '');
  if (chosen.length === 0)
    return { ...nothing, groups: lookAlikes.slice(0, 2).map((group) => group.slice(0, mostNamed)) };
  const looks = new Set(chosen.map(lookOf));
  const stored = new Map([...values, ...lookAlikes.flat()].map((each) => [JSON.stringify(each.value), each]));
  const others = [...stored.values()]
    .filter(({ value }) => looks.has(lookOf(value)) && !chosen.includes(value))
    .slice(0, mostNamed);
  const like = new Set(others.map(({ value }) => lookOf(value)));
  return { of: chosen.filter((value) => like.has(lookOf(value))), others, groups: [] };
}

/** The condition with these values beside its own; undefined where an operator takes only one. */
export function withThem(json: FilterJson, others: readonly Counted[]): FilterJson | undefined {
  const operator = operatorIn(json, operatorsOf(json));
  const wider = operator && many[operator];
  if (!wider) return undefined;
  const { [operator]: given, ...rest } = json;
  return { ...rest, [wider]: [...(Array.isArray(given) ? given : [given]), ...others.map(({ value }) => value)] };
}
