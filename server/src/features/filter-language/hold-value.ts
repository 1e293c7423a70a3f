// The operators on a value in memory: the same as compile/value-tests.ts says in SQL.
import { parseInstant } from '../../lib/instant.js';
import { foldCase, matchesWildcards } from '../../lib/text.js';
import { splitNegation } from './negation.js';
import type { Duration, ValueTest } from './tree.js';

/** Whether a value holds a test at `now`, in milliseconds since 1970. null and undefined are missing. */
export function holdsValue(value: unknown, test: ValueTest, now: number): boolean {
  const { positive, isNegative } = splitNegation(test);
  return holdsPositive(value, positive, now) !== isNegative;
}

function holdsPositive(value: unknown, test: ValueTest, now: number): boolean {
  if (value === null || value === undefined) return false;
  if (test.op === 'exists') return true;
  // Only its own elements: an array inside an array is not compared.
  return Array.isArray(value) ? value.some((item) => holdsOne(item, test, now)) : holdsOne(value, test, now);
}

function holdsOne(value: unknown, test: ValueTest, now: number): boolean {
  switch (typeof value) {
    case 'string':
      return holdsText(value, test, now);
    case 'number':
      return holdsNumber(value, test);
    case 'boolean':
      return equalsOne(value, test);
    default:
      return false;
  }
}

function equalsOne(value: string | number | boolean, test: ValueTest): boolean {
  if (test.op === 'is') return value === test.value;
  return test.op === 'in' && test.values.includes(value);
}

function holdsNumber(value: number, test: ValueTest): boolean {
  switch (test.op) {
    case 'lt':
      return value < test.value;
    case 'lte':
      return value <= test.value;
    case 'gt':
      return value > test.value;
    case 'gte':
      return value >= test.value;
    case 'between':
      return test.low <= value && value <= test.high;
    default:
      return equalsOne(value, test);
  }
}

function holdsText(value: string, test: ValueTest, now: number): boolean {
  switch (test.op) {
    case 'contains':
      return foldCase(value).includes(foldCase(test.text));
    case 'startsWith':
      return foldCase(value).startsWith(foldCase(test.text));
    case 'endsWith':
      return foldCase(value).endsWith(foldCase(test.text));
    case 'matches':
      return matchesWildcards(foldCase(value), foldCase(test.text));
    case 'before':
    case 'after':
    case 'withinLast':
    case 'withinNext':
      return holdsTime(parseInstant(value), test, now);
    default:
      return equalsOne(value, test);
  }
}

type TimeTest = Extract<ValueTest, { at: string } | { duration: Duration }>;

function holdsTime(instant: string | undefined, test: TimeTest, now: number): boolean {
  if (instant === undefined) return false;
  const at = Date.parse(instant);
  switch (test.op) {
    case 'before':
      return at < Date.parse(test.at);
    case 'after':
      return at > Date.parse(test.at);
    case 'withinNext':
      return now <= at && at <= now + test.duration.ms;
    default:
      return now - test.duration.ms <= at && at <= now;
  }
}
