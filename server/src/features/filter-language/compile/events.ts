// Product events: what is measured in those that count, and when one of them enters or leaves the window.
import { type Sql, sql } from '../../../db/sql.js';
import type { Ground, Piece } from '../subject.js';
import type { Counted, CountTest, EventCondition, EventWindow, Measure } from '../tree.js';
import { eventsOf, eventTest, type Log, productEvents, valueAt } from './event-filters.js';
import { addUp, findRows, type Rows, type Sum } from './event-scan.js';
import { earliest, every } from './fragments.js';
import { leaves, timeJson } from './moments.js';
import type { Place } from './place.js';
import { countHolds, jsonTest, numericHolds, timeTest } from './value-tests.js';

export function eventCondition(condition: EventCondition, place: Place): Piece {
  const { name, window, where, measure } = condition;
  const tested = where && eventTest(where, place.now);
  const rows = findRows(productEvents, { name, window, tested }, place);
  switch (measure.of) {
    case 'count':
      return counted(measure.count, rows, place);
    case 'distinct':
      return distinct(measure, rows, place);
    case 'sum':
    case 'avg':
    case 'min':
    case 'max':
      return computed(measure, rows, place);
    case 'first':
    case 'last':
      return timed(measure, rows, place);
    case 'latest':
      return latest(measure, rows, place);
    default:
      throw new Error(`No such measure: ${measure satisfies never}`);
  }
}

/** How often something happened that another feature keeps a log of: what it is called there, and what else is true of such rows. */
export function countIn(
  log: Log,
  { name, only, count, window }: Counted & { readonly name: string; readonly only: readonly Sql[] },
  on: Ground,
): Piece {
  const tested = only.length === 0 ? undefined : { holds: every(only) };
  return counted(count, findRows(log, { name, window, tested }, on), on);
}

function wakes(rows: Rows): Sum {
  return { of: sql`min(${rows.wake})`, over: 'matches' };
}

function overCounts(...all: readonly Sql[]): Sum[] {
  return all.map((of) => ({ of, over: 'counts' }));
}

/** `left` is the date of the event whose leaving of the window matters. */
function nextOf(woken: Sql, { withinLast }: EventWindow, left: Sql): Sql {
  return withinLast ? sql`least(${woken}, ${leaves(left, withinLast)})` : woken;
}

function counted(count: CountTest, rows: Rows, on: Ground): Piece {
  const [woken, total] = addUp(rows, on, [wakes(rows), ...overCounts(sql`count(*)`)]) as [Sql, Sql];
  const n = sql`coalesce(${total}, 0)`;
  const leaving = rows.window.withinLast ? whichLeaves(n, count, rows, on) : sql`null`;
  return { holds: countHolds(total, count), next: nextOf(woken, rows.window, leaving), value: sql`to_jsonb(${n})` };
}

/**
 * The date of the event whose leaving the window takes the count across a bound. Exact where that is the newest one, which is the
 * common case (at least one; none): else the oldest, which may be too early, because only a sort could tell the n-th newest.
 */
function whichLeaves(n: Sql, { atLeast = 0, atMost }: CountTest, rows: Rows, on: Ground): Sql {
  const nthNewest = (nth: number) =>
    addUp(rows, on, overCounts(nth === 1 ? sql`max(e.event_date)` : sql`min(e.event_date)`))[0];
  const tooMany = atMost === undefined ? sql`` : sql`when ${n} > ${atMost}::bigint then ${nthNewest(atMost + 1)}`;
  const enough = atLeast === 0 ? sql`` : sql`when ${n} >= ${atLeast}::bigint then ${nthNewest(atLeast)}`;
  return sql`(case when false then null::timestamptz ${tooMany} ${enough} end)`;
}

const aggregates = { sum: sql`sum`, avg: sql`avg`, min: sql`min`, max: sql`max` };

function computed(measure: Extract<Measure, { of: keyof typeof aggregates }>, rows: Rows, place: Place): Piece {
  const value = valueAt(measure.at);
  // CASE, because a cast of what is no number must not happen, and AND has no order.
  const number = sql`case jsonb_typeof(${value}) when 'number' then ${value}::numeric end`;
  const sums = overCounts(sql`${aggregates[measure.of]}(${number})`, sql`min(e.event_date)`);
  const [woken, result, oldest] = addUp(rows, place, [wakes(rows), ...sums]) as [Sql, Sql, Sql];
  return {
    holds: numericHolds(result, measure.test),
    next: nextOf(woken, rows.window, oldest),
    value: sql`to_jsonb(${result})`,
  };
}

function timed(measure: Extract<Measure, { of: 'first' | 'last' }>, rows: Rows, place: Place): Piece {
  const date = measure.of === 'first' ? sql`min(e.event_date)` : sql`max(e.event_date)`;
  const [woken, at] = addUp(rows, place, [wakes(rows), ...overCounts(date)]) as [Sql, Sql];
  const { holds, next } = timeTest(at, measure.test, place.now);
  return { holds, next: earliest([woken, next]), value: timeJson(at) };
}

function distinct(measure: Extract<Measure, { of: 'distinct' }>, rows: Rows, place: Place): Piece {
  // Values first, then contacts: hashed twice instead of sorted. A null among the properties is missing.
  const value = sql`nullif(${valueAt(measure.at)}, 'null'::jsonb)`;
  const table =
    place.join(sql`select contact_id, count(value) filter (where newest is not null) as n, min(wakes) as wakes,
      min(newest) filter (where value is not null) as oldest
    from (select e.contact_id, ${value} as value, max(e.event_date) filter (where ${rows.counts}) as newest, min(${rows.wake}) as wakes
      from ${eventsOf(place, [rows.matches])} group by 1, 2) v
    group by contact_id`);
  const n = sql`coalesce(${table}.n, 0)`;
  return {
    holds: countHolds(sql`${table}.n`, measure.count),
    next: nextOf(sql`${table}.wakes`, rows.window, sql`${table}.oldest`),
    value: sql`to_jsonb(${n})`,
  };
}

/** Those that do not count come last, so that a contact who has no others still has its `wakes`. */
function latest(measure: Extract<Measure, { of: 'latest' }>, rows: Rows, place: Place): Piece {
  const table = place.join(sql`select distinct on (contact_id) contact_id, wakes,
      case when counts then event_date end as newest, case when counts then value end as value
    from (select e.contact_id, e.event_date, e.event_no, ${valueAt(measure.at)} as value, ${rows.counts} as counts,
        min(${rows.wake}) over (partition by e.contact_id) as wakes
      from ${eventsOf(place, [rows.matches])}) v
    order by contact_id, counts desc, event_date desc, event_no desc`);
  const value = sql`${table}.value`;
  const { holds, next } = jsonTest(value, measure.test, place.now);
  return { holds, next: earliest([nextOf(sql`${table}.wakes`, rows.window, sql`${table}.newest`), next]), value };
}
