// Operators on one value: JSON, a text or a time. The value may be null, which is missing; the answer is never null.
import { textOperators, type Wanting } from '@rapport/contract';
import { type Sql, sql } from '../../../db/sql.js';
import { foldCase } from '../../../lib/text.js';
import { splitNegation } from '../negation.js';
import type { CountTest, Scalar, ValueTest } from '../tree.js';
import { every, no, not } from './fragments.js';
import { ago, ahead, nextOfWithinLast, nextOfWithinNext } from './moments.js';

/** The moment of an evaluation, as an expression. */
type Now = Sql;

/** What a test comes to, and when that may change by itself. */
export interface Tested {
  readonly holds: Sql;
  readonly next?: Sql | undefined;
}

/** Its truth can change by the clock alone. */
export function isTimed(test: ValueTest): boolean {
  return 'duration' in test;
}

export function jsonTest(value: Sql, test: ValueTest, now: Now): Tested {
  const { positive, isNegative } = splitNegation(test);
  const holds = jsonHolds(value, positive, now);
  return { holds: isNegative ? not(holds) : holds, next: jsonNext(value, test, now) };
}

function jsonHolds(value: Sql, test: ValueTest, now: Now): Sql {
  switch (test.op) {
    case 'is':
    case 'hasEverBeen':
      return jsonIs(value, test.value);
    case 'in': {
      // Equal, not contained: an array of constants is hashed.
      const wanted = sql`any (${test.values.map((wanted) => JSON.stringify(wanted))}::jsonb[])`;
      return sql`case jsonb_typeof(${value})
        when 'array' then exists (select from jsonb_array_elements(${value}) item where item.value = ${wanted})
        else coalesce(${value} = ${wanted}, false) end`;
    }
    case 'exists':
      return sql`coalesce(${value} <> 'null'::jsonb, false)`;
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
    case 'between':
      return ofType(value, sql`'number'`, (item) => numberHolds(item, test));
    default:
      if ('text' in test) return ofType(value, sql`'string'`, (item) => foldedHolds(sql`${item} #>> '{}'`, test));
      return ofType(value, sql`'string'`, (item) => timeHolds(sql`instant_of(${item} #>> '{}')`, test, now));
  }
}

/** A scalar is contained in itself and in an array that has it; 10 equals 10.0, and nothing of another type. */
export function jsonIs(value: Sql, wanted: Scalar): Sql {
  return sql`coalesce(${value} @> ${JSON.stringify(wanted)}::jsonb, false)`;
}

/** True when the value is of the type and fits, or an array one of whose elements is so. No test meets another type. */
function ofType(value: Sql, type: Sql, fits: (value: Sql) => Sql): Sql {
  const item = sql`item.value`;
  return sql`case jsonb_typeof(${value}) when ${type} then ${fits(value)}
    when 'array' then exists (select from jsonb_array_elements(${value}) item
      where case jsonb_typeof(${item}) when ${type} then ${fits(item)} else false end)
    else false end`;
}

const comparisons: Record<Wanting<'number'>, Sql> = { lt: sql`<`, lte: sql`<=`, gt: sql`>`, gte: sql`>=` };

// As JSON: numbers compare as numbers there, and no cast can fail.
function numberHolds(value: Sql, test: Extract<ValueTest, { op: Wanting<'number'> | 'between' }>): Sql {
  const as = (wanted: number) => sql`${JSON.stringify(wanted)}::jsonb`;
  return test.op === 'between'
    ? sql`${value} between ${as(test.low)} and ${as(test.high)}`
    : sql`${value} ${comparisons[test.op]} ${as(test.value)}`;
}

/** The same over a number that was computed, which may be null. */
export function numericHolds(value: Sql, test: ValueTest): Sql {
  switch (test.op) {
    case 'is':
      return sql`coalesce(${value} = ${test.value}::numeric, false)`;
    case 'between':
      return sql`coalesce(${value} between ${test.low}::numeric and ${test.high}::numeric, false)`;
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return sql`coalesce(${value} ${comparisons[test.op]} ${test.value}::numeric, false)`;
    default:
      throw wrongTest(test, 'a number');
  }
}

/**
 * How many; null means zero. If zero is too few, the test fails on null: at the top of a statement, PostgreSQL then reads only contacts
 * that have any.
 */
export function countHolds(value: Sql, { atLeast = 0, atMost }: CountTest): Sql {
  const n = atLeast === 0 ? sql`coalesce(${value}, 0)` : value;
  const bounds = every([
    ...(atLeast === 0 ? [] : [sql`${n} >= ${atLeast}::bigint`]),
    ...(atMost === undefined ? [] : [sql`${n} <= ${atMost}::bigint`]),
  ]);
  return atLeast === 0 ? bounds : sql`(${bounds} is true)`;
}

/** `*` is any text, also none, and `?` one character; everything else is itself. */
function likePattern(wildcards: string): string {
  return wildcards
    .replace(/[\\%_]/g, '\\$&')
    .replaceAll('*', '%')
    .replaceAll('?', '_');
}

type TextTest = Extract<ValueTest, { text: string }>;

function foldedHolds(text: Sql, test: TextTest): Sql {
  const needle = sql`${foldCase(test.text)}::text`;
  switch (test.op) {
    case 'startsWith':
      return sql`starts_with(fold_text(${text}), ${needle})`;
    case 'endsWith':
      return sql`right(fold_text(${text}), char_length(${needle})) = ${needle}`;
    case 'matches':
      return sql`fold_text(${text}) like ${likePattern(foldCase(test.text))}::text`;
    default:
      return sql`strpos(fold_text(${text}), ${needle}) > 0`;
  }
}

function timeHolds(at: Sql, test: ValueTest, now: Now): Sql {
  switch (test.op) {
    case 'before':
      return sql`coalesce(${at} < ${test.at}::timestamptz, false)`;
    case 'after':
      return sql`coalesce(${at} > ${test.at}::timestamptz, false)`;
    case 'withinLast':
      return sql`coalesce(${spanned(ago(now, test.duration), now)} @> ${at}, false)`;
    case 'withinNext':
      return sql`coalesce(${spanned(now, ahead(now, test.duration))} @> ${at}, false)`;
    case 'exists':
      return sql`${at} is not null`;
    default:
      throw wrongTest(test, 'a time');
  }
}

// BETWEEN would read the time twice, and reading it from text is dear.
function spanned(from: Sql, to: Sql): Sql {
  return sql`tstzrange(${from}, ${to}, '[]')`;
}

/** When a test of a time changes by itself; null when it does not, undefined when it never can. */
function timeNext(at: Sql, test: ValueTest, now: Now): Sql | undefined {
  switch (test.op) {
    case 'withinLast':
    case 'notWithinLast':
      return nextOfWithinLast(at, test.duration, now);
    case 'withinNext':
      return nextOfWithinNext(at, test.duration, now);
    default:
      return undefined;
  }
}

function jsonNext(value: Sql, test: ValueTest, now: Now): Sql | undefined {
  const next = (of: Sql) => timeNext(sql`instant_of(${of} #>> '{}')`, test, now);
  const [own, ofItem] = [next(value), next(sql`item.value`)];
  return (
    own &&
    sql`case jsonb_typeof(${value}) when 'string' then ${own} when 'array' then (
      select min(${ofItem}) from jsonb_array_elements(${value}) item where jsonb_typeof(item.value) = 'string') end`
  );
}

/** Over a time of ours. */
export function timeTest(at: Sql, test: ValueTest, now: Now): Tested {
  const { positive, isNegative } = splitNegation(test);
  const holds = timeHolds(at, positive, now);
  return { holds: isNegative ? not(holds) : holds, next: timeNext(at, test, now) };
}

/** Whether textTest() knows it. */
export function isOfText({ op }: ValueTest): boolean {
  return op === 'exists' || textOperators.includes(op);
}

/** Over a text of ours. */
export function textTest(text: Sql, test: ValueTest): Sql {
  const { positive, isNegative } = splitNegation(test);
  const holds = textHolds(text, positive);
  return isNegative ? not(holds) : holds;
}

function textHolds(text: Sql, test: ValueTest): Sql {
  switch (test.op) {
    case 'is':
      return typeof test.value === 'string' ? sql`coalesce(${text} = ${test.value}::text, false)` : no;
    case 'in': {
      const texts = test.values.filter((value) => typeof value === 'string');
      return sql`coalesce(${text} = any (${texts}::text[]), false)`;
    }
    case 'exists':
      return sql`${text} is not null`;
    default:
      if ('text' in test) return sql`coalesce(${foldedHolds(text, test)}, false)`;
      throw wrongTest(test, 'a text');
  }
}

function wrongTest(test: ValueTest, of: string): Error {
  return new Error(`${test.op} is no test of ${of}`);
}
