// Product events: what is measured in those that count, and when one of them enters or leaves the window.
import { type Sql, sql } from '../../../../db/sql.js';
import type { Piece } from '../subject.js';
import type { CountTest, Duration, EventCondition, EventWindow, Measure } from '../tree.js';
import { eventsOf, eventTest, valueAt } from './event-filters.js';
import { earliest, every } from './fragments.js';
import { ago, leaves, timeJson } from './moments.js';
import type { Place } from './place.js';
import { countHolds, jsonTest, numericHolds, timeTest } from './value-tests.js';

/** The events that a condition looks at. */
interface Rows {
  /** What follows `from`. Events later than now are among them: the earliest of those is a moment to look again. */
  readonly from: Sql;
  /** Of an event: it counts now. */
  readonly counts: Sql;
  /** Of an event: when it comes to count, or may cease to by itself; null for most. */
  readonly wake: Sql;
  readonly withinLast: Duration | undefined;
}

export function eventCondition(condition: EventCondition, place: Place): Piece {
  const rows = rowsOf(condition, place);
  const { measure } = condition;
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

function rowsOf({ name, window, where }: EventCondition, place: Place): Rows {
  const tested = where && eventTest(where, place.now);
  const isPast = sql`e.event_date <= ${place.now}`;
  // An event that a timed `where` refuses now may come to count: it is read all the same.
  const late = tested?.next ? tested : undefined;
  return {
    from: eventsOf(place, [
      sql`e.event_name = ${name}`,
      ...windowOf(window, place),
      ...(tested && !late ? [tested.holds] : []),
    ]),
    counts: late ? every([isPast, late.holds]) : isPast,
    wake: late?.next
      ? sql`case when e.event_date > ${place.now} then e.event_date else ${late.next} end`
      : sql`case when e.event_date > ${place.now} then e.event_date end`,
    withinLast: window.withinLast,
  };
}

function windowOf({ withinLast, from, to }: EventWindow, place: Place): Sql[] {
  return [
    ...(withinLast ? [sql`e.event_date >= ${ago(place.now, withinLast)}`] : []),
    ...(from === undefined ? [] : [sql`e.event_date >= ${from}::timestamptz`]),
    ...(to === undefined ? [] : [sql`e.event_date <= ${to}::timestamptz`]),
  ];
}

/** `column` is the date of the event whose leaving of the window matters. */
function nextOf(table: Sql, withinLast: Duration | undefined, column: Sql): Sql | undefined {
  return earliest([sql`${table}.wakes`, withinLast && leaves(column, withinLast)]);
}

function counted(count: CountTest, { from, counts, wake, withinLast }: Rows, place: Place): Piece {
  const dates = withinLast
    ? sql`, min(e.event_date) filter (where ${counts}) as oldest, max(e.event_date) filter (where ${counts}) as newest`
    : sql``;
  const table =
    place.join(sql`select e.contact_id, count(*) filter (where ${counts}) as n, min(${wake}) as wakes${dates}
    from ${from} group by e.contact_id`);
  const n = sql`coalesce(${table}.n, 0)`;
  return {
    holds: countHolds(n, count),
    next: nextOf(table, withinLast, whichLeaves(table, count)),
    value: sql`to_jsonb(${n})`,
  };
}

/**
 * The date of the event whose leaving the window changes the count across a bound. Exact where that is the newest one, which is the
 * common case (at least one; none): else the oldest, which may be too early, because only a sort could tell the n-th newest.
 */
function whichLeaves(table: Sql, { atLeast = 0, atMost }: CountTest): Sql {
  const nthNewest = (nth: number) => (nth === 1 ? sql`${table}.newest` : sql`${table}.oldest`);
  const tooMany = atMost === undefined ? sql`` : sql`when ${table}.n > ${atMost}::bigint then ${nthNewest(atMost + 1)}`;
  const enough = atLeast === 0 ? sql`` : sql`when ${table}.n >= ${atLeast}::bigint then ${nthNewest(atLeast)}`;
  return sql`(case when false then null::timestamptz ${tooMany} ${enough} end)`;
}

function distinct(measure: Extract<Measure, { of: 'distinct' }>, rows: Rows, place: Place): Piece {
  // Values first, then contacts: hashed twice instead of sorted. A null among the properties is missing.
  const value = sql`nullif(${valueAt(measure.at)}, 'null'::jsonb)`;
  const table =
    place.join(sql`select contact_id, count(value) filter (where newest is not null) as n, min(wakes) as wakes,
      min(newest) filter (where value is not null) as oldest
    from (select e.contact_id, ${value} as value, max(e.event_date) filter (where ${rows.counts}) as newest, min(${rows.wake}) as wakes
      from ${rows.from} group by 1, 2) v
    group by contact_id`);
  const n = sql`coalesce(${table}.n, 0)`;
  return {
    holds: countHolds(n, measure.count),
    next: nextOf(table, rows.withinLast, sql`${table}.oldest`),
    value: sql`to_jsonb(${n})`,
  };
}

const aggregates = { sum: sql`sum`, avg: sql`avg`, min: sql`min`, max: sql`max` };

function computed(measure: Extract<Measure, { of: keyof typeof aggregates }>, rows: Rows, place: Place): Piece {
  const value = valueAt(measure.at);
  // CASE, because a cast of what is no number must not happen, and AND has no order.
  const number = sql`case jsonb_typeof(${value}) when 'number' then ${value}::numeric end`;
  const table =
    place.join(sql`select e.contact_id, ${aggregates[measure.of]}(${number}) filter (where ${rows.counts}) as value,
      min(${rows.wake}) as wakes, min(e.event_date) filter (where ${rows.counts}) as oldest
    from ${rows.from} group by e.contact_id`);
  return {
    holds: numericHolds(sql`${table}.value`, measure.test),
    next: nextOf(table, rows.withinLast, sql`${table}.oldest`),
    value: sql`to_jsonb(${table}.value)`,
  };
}

function timed(measure: Extract<Measure, { of: 'first' | 'last' }>, rows: Rows, place: Place): Piece {
  const aggregate = measure.of === 'first' ? sql`min` : sql`max`;
  const table = place.join(sql`select e.contact_id, ${aggregate}(e.event_date) filter (where ${rows.counts}) as at,
      min(${rows.wake}) as wakes
    from ${rows.from} group by e.contact_id`);
  const at = sql`${table}.at`;
  const { holds, next } = timeTest(at, measure.test, place.now);
  return { holds, next: earliest([sql`${table}.wakes`, next]), value: timeJson(at) };
}

/** Those that do not count come last, so that a contact who has no others still has its `wakes`. */
function latest(measure: Extract<Measure, { of: 'latest' }>, rows: Rows, place: Place): Piece {
  const table = place.join(sql`select distinct on (contact_id) contact_id, wakes,
      case when counts then event_date end as newest, case when counts then value end as value
    from (select e.contact_id, e.event_date, e.event_no, ${valueAt(measure.at)} as value, ${rows.counts} as counts,
        min(${rows.wake}) over (partition by e.contact_id) as wakes
      from ${rows.from}) v
    order by contact_id, counts desc, event_date desc, event_no desc`);
  const value = sql`${table}.value`;
  const { holds, next } = jsonTest(value, measure.test, place.now);
  return { holds, next: earliest([nextOf(table, rows.withinLast, sql`${table}.newest`), next]), value };
}
