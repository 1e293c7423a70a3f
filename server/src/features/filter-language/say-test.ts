// What is asked of a value, in words.
import { inQuotes, operators, type Wanting } from '@rapport/contract';
import { listOf } from './fault.js';
import { number, sayLast, sayNext, sayTime } from './say-time.js';
import type { Scalar, ValueTest } from './tree.js';

const mostShown = 60;
const mostListed = 5;
const examples = 3;

/** In quotes; long text is cut. */
export function quote(text: string): string {
  const characters = text.length > mostShown ? [...text.slice(0, (mostShown + 1) * 2)] : [];
  return inQuotes(characters.length > mostShown ? `${characters.slice(0, mostShown).join('')}…` : text);
}

export function sayScalar(value: Scalar): string {
  return typeof value === 'string' ? quote(value) : String(value);
}

/** `“total” in “cart”`. */
export function sayPath(at: readonly string[]): string {
  return at.map(quote).reverse().join(' in ');
}

function sayValues(values: readonly Scalar[]): string {
  if (values.length <= mostListed) return listOf(values.map(sayScalar), 'or');
  return `one of ${number(values.length)} values, such as ${listOf(values.slice(0, examples).map(sayScalar), 'and')}`;
}

/** A verb and what follows: `is “pro”`, `does not contain “x”`. */
export function sayTest(test: ValueTest): string {
  const { words } = operators[test.op];
  if ('text' in test) return `${words} ${quote(test.text)}`;
  if ('values' in test) return `${test.op === 'in' ? 'is' : 'is not'} ${sayValues(test.values)}`;
  if ('low' in test) return `is from ${test.low} to ${test.high}`;
  if (test.op === 'exists') return test.value ? words : 'has no value';
  if (test.op === 'notWithinLast') return `is not ${sayLast(test.duration)}`;
  return isTimeTest(test) ? `is ${sayMoment(test)}` : `${words} ${sayScalar(test.value)}`;
}

type TimeTest = Extract<ValueTest, { op: Wanting<'time' | 'duration'> }>;

export function isTimeTest(test: ValueTest): test is TimeTest {
  return 'at' in test || 'duration' in test;
}

/** When: `before 09:30 UTC on 1 March 2026`, `in the last 30 days`. A negation is not in it. */
export function sayMoment(test: TimeTest): string {
  if ('at' in test) return `${test.op} ${sayTime(test.at)}`;
  return test.op === 'withinNext' ? sayNext(test.duration) : sayLast(test.duration);
}
