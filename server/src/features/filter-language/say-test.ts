// What is asked of a value, in words.
import { listOf } from './fault.js';
import { number, sayLast, sayNext, sayTime } from './say-time.js';
import type { Scalar, ValueTest } from './tree.js';

const mostShown = 60;
const mostListed = 5;
const examples = 3;

/** Quoted as JSON quotes it, so that nothing in it can pass for our own words; long text is cut. */
export function quote(text: string): string {
  const characters = text.length > mostShown ? [...text.slice(0, (mostShown + 1) * 2)] : [];
  return JSON.stringify(characters.length > mostShown ? `${characters.slice(0, mostShown).join('')}…` : text);
}

function sayScalar(value: Scalar): string {
  return typeof value === 'string' ? quote(value) : String(value);
}

/** `"total" in "cart"`. */
export function sayPath(at: readonly string[]): string {
  return at.map(quote).reverse().join(' in ');
}

function sayValues(values: readonly Scalar[]): string {
  if (values.length <= mostListed) return listOf(values.map(sayScalar), 'or');
  return `one of ${number(values.length)} values, such as ${listOf(values.slice(0, examples).map(sayScalar), 'and')}`;
}

/** A verb and what follows: `is "pro"`, `does not contain "x"`. */
export function sayTest(test: ValueTest): string {
  switch (test.op) {
    case 'is':
      return `is ${sayScalar(test.value)}`;
    case 'isNot':
      return `is not ${sayScalar(test.value)}`;
    case 'hasEverBeen':
      return `has ever been ${sayScalar(test.value)}`;
    case 'in':
    case 'notIn':
      return `${test.op === 'in' ? 'is' : 'is not'} ${sayValues(test.values)}`;
    case 'contains':
      return `contains ${quote(test.text)}`;
    case 'notContains':
      return `does not contain ${quote(test.text)}`;
    case 'startsWith':
      return `starts with ${quote(test.text)}`;
    case 'endsWith':
      return `ends with ${quote(test.text)}`;
    case 'exists':
      return test.value ? 'has a value' : 'has no value';
    case 'lt':
      return `is less than ${test.value}`;
    case 'lte':
      return `is at most ${test.value}`;
    case 'gt':
      return `is more than ${test.value}`;
    case 'gte':
      return `is at least ${test.value}`;
    case 'between':
      return `is from ${test.low} to ${test.high}`;
    case 'notWithinLast':
      return `is not ${sayLast(test.duration)}`;
    case 'before':
    case 'after':
    case 'withinLast':
    case 'withinNext':
      return `is ${sayMoment(test)}`;
  }
}

type TimeTest = Extract<ValueTest, { op: 'before' | 'after' | 'withinLast' | 'notWithinLast' | 'withinNext' }>;

export function isTimeTest(test: ValueTest): test is TimeTest {
  return 'at' in test || 'duration' in test;
}

/** When: `before 09:30 UTC on 1 March 2026`, `in the last 30 days`. A negation is not in it. */
export function sayMoment(test: TimeTest): string {
  if ('at' in test) return `${test.op} ${sayTime(test.at)}`;
  return test.op === 'withinNext' ? sayNext(test.duration) : sayLast(test.duration);
}

/** The test that a negative one negates; undefined for the others. */
export function positiveOf(test: ValueTest): ValueTest | undefined {
  switch (test.op) {
    case 'isNot':
      return { op: 'is', value: test.value };
    case 'notIn':
      return { op: 'in', values: test.values };
    case 'notContains':
      return { op: 'contains', text: test.text };
    case 'notWithinLast':
      return { op: 'withinLast', duration: test.duration };
    case 'exists':
      return test.value ? undefined : { op: 'exists', value: true };
    default:
      return undefined;
  }
}
