// How a condition begins once its subject is chosen: with the most common question.
import { countKeys, type MeasureName, type Operator } from '@rapport/contract';
import { measureOf, operatorsOf, type Subject } from './conditions.ts';
import { everybody, type FilterJson, type Scalar } from './filter-json.ts';
import { carryValue, firstOperator, operatorIn, type ValueType } from './operators.ts';

/** What the picker offers. */
export interface Choice {
  readonly subject: Subject;
  /** The key of a property, the name of an event, a field: the value at the subject. */
  readonly name?: string | readonly string[];
  readonly types?: readonly ValueType[];
}

/** Keeps the question of `before` where the new subject takes it. */
export function beginCondition({ subject, name = '', types = [] }: Choice, before: FilterJson = {}): FilterJson {
  switch (subject) {
    case 'property':
    case 'userProperty':
    case 'orgProperty':
    case 'eventProperty':
    case 'contact':
    case 'organization':
    case 'eventField':
      return asked({ [subject]: name }, types, before);
    case 'event':
      return { event: name, atLeast: 1, withinLast: 'P30D' };
    case 'sequence':
      return { sequence: [{ event: '' }, { event: '', within: 'P7D' }] };
    case 'marketing':
      return { marketing: name || 'opened', atLeast: 1, withinLast: 'P30D' };
    case 'orgMembers':
      return { orgMembers: { where: everybody, atLeast: 2 } };
    case 'unsubscribed':
      return { unsubscribed: false };
    case 'topic':
      return { topic: name, is: 'subscribed' };
    case 'journeyId':
      return { journeyId: name, state: 'entered' };
    case 'bucket':
      return { bucket: { seed: 'share', of: 100, from: 0, to: 9 } };
    case 'staticListId':
    case 'dynamicListId':
      return { [subject]: name };
  }
}

function asked(json: FilterJson, types: readonly ValueType[], before: FilterJson): FilterJson {
  const allowed = operatorsOf(json);
  const kept = operatorIn(before, allowed);
  // A question of the same kind stays, so that correcting the property keeps the rest.
  if (kept && types.length === 0) return { ...json, [kept]: before[kept] };
  const operator = firstOperator(types, allowed);
  return { ...json, [operator]: types[0] === 'boolean' && operator === 'is' ? true : firstValue(operator) };
}

function firstValue(operator: Operator): unknown {
  return carryValue('' satisfies Scalar, operator);
}

/** Another measure of the same events: what belongs to the old one only goes. */
export function withMeasure(json: FilterJson, measure: MeasureName): FilterJson {
  const { event, where, from, to } = json;
  const was = measureOf(json);
  const isMoment = (each: MeasureName) => each === 'first' || each === 'last';
  const window = {
    // Of the first and last time, `withinLast` is the question and not the window.
    ...(!isMoment(was) && !isMoment(measure) && json.withinLast !== undefined ? { withinLast: json.withinLast } : {}),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
  const of = ['count', 'first', 'last'].includes(measure) ? {} : { of: json.of ?? '' };
  const rest = { ...of, ...window, ...(where === undefined ? {} : { where }) };
  const plain = { event, ...(measure === 'count' ? {} : { measure }) };
  switch (measure) {
    case 'count':
    case 'distinct':
      return { ...plain, ...countsOf(json), ...rest };
    case 'first':
    case 'last':
      return { ...plain, withinLast: 'P30D', ...rest };
    case 'latest':
      return { ...plain, is: '', ...rest };
    default:
      return { ...plain, gte: undefined, ...rest };
  }
}

function countsOf(json: FilterJson): FilterJson {
  const given = countKeys.filter((key) => json[key] !== undefined);
  return given.length > 0 ? Object.fromEntries(given.map((key) => [key, json[key]])) : { atLeast: 1 };
}

export type CountWord = 'atLeast' | 'atMost' | 'exactly' | 'between' | 'never';

/** How often, in one word and its numbers. */
export function countOf(json: FilterJson): { word: CountWord; low: number; high: number } {
  const number = (key: string, otherwise: number) => (typeof json[key] === 'number' ? json[key] : otherwise);
  if (json.exactly === 0) return { word: 'never', low: 0, high: 0 };
  if (json.exactly !== undefined) return { word: 'exactly', low: number('exactly', 1), high: number('exactly', 1) };
  if (json.atLeast !== undefined && json.atMost !== undefined)
    return { word: 'between', low: number('atLeast', 1), high: number('atMost', 1) };
  if (json.atMost !== undefined) return { word: 'atMost', low: 0, high: number('atMost', 1) };
  return { word: 'atLeast', low: number('atLeast', 1), high: number('atLeast', 1) };
}

export function withCount(json: FilterJson, word: CountWord, low: number, high: number): FilterJson {
  const rest = Object.fromEntries(Object.entries(json).filter(([key]) => !countKeys.some((each) => each === key)));
  switch (word) {
    case 'never':
      return { ...rest, exactly: 0 };
    case 'exactly':
      return { ...rest, exactly: low };
    case 'between':
      return { ...rest, atLeast: low, atMost: Math.max(low, high) };
    case 'atMost':
      return { ...rest, atMost: high };
    case 'atLeast':
      return { ...rest, atLeast: low };
  }
}

export type WindowWord = 'ever' | 'last' | 'dates';

/** The window of a condition on events or mail. */
export function windowOf(json: FilterJson): WindowWord {
  if (json.from !== undefined || json.to !== undefined) return 'dates';
  return json.withinLast === undefined ? 'ever' : 'last';
}

export function withWindow(json: FilterJson, word: WindowWord): FilterJson {
  const { withinLast: _last, from: _from, to: _to, ...rest } = json;
  switch (word) {
    case 'ever':
      return rest;
    case 'last':
      return { ...rest, withinLast: 'P30D' };
    case 'dates':
      return { ...rest, from: '' };
  }
}
