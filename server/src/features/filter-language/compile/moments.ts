// Times, and when a test of a time will change its mind.
import { type Sql, sql } from '../../../db/sql.js';
import type { Duration } from '../tree.js';

export function span(duration: Duration): Sql {
  return sql`${duration.ms}::float8 * interval '1 millisecond'`;
}

/**
 * Through UTC, because that is immutable: with `now` a parameter, PostgreSQL knows the result when it plans, and leaves out the
 * months that do not matter.
 */
export function ago(now: Sql, duration: Duration): Sql {
  return sql`((${now} at time zone 'UTC' - ${span(duration)}) at time zone 'UTC')`;
}

export function ahead(now: Sql, duration: Duration): Sql {
  return sql`((${now} at time zone 'UTC' + ${span(duration)}) at time zone 'UTC')`;
}

/** The first moment at which what holds up to `at + duration`, that moment included, does not. Times have milliseconds. */
export function leaves(at: Sql, duration: Duration): Sql {
  return sql`${at} + ${span(duration)} + interval '1 millisecond'`;
}

/** When `at` enters or leaves the last `duration`, or null. */
export function nextOfWithinLast(at: Sql, duration: Duration, now: Sql): Sql {
  return sql`case when ${at} > ${now} then ${at} when ${at} >= ${ago(now, duration)} then ${leaves(at, duration)} end`;
}

/** When `at` enters or leaves the next `duration`, or null. */
export function nextOfWithinNext(at: Sql, duration: Duration, now: Sql): Sql {
  return sql`case when ${at} > ${ahead(now, duration)} then ${at} - ${span(duration)}
    when ${at} >= ${now} then ${at} + interval '1 millisecond' end`;
}

/** As the API writes times. */
export function timeJson(at: Sql): Sql {
  return sql`to_jsonb(to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;
}
