// Events in order. One pass over a contact's events, step after step: an event reaches step k when it fits there and the latest event
// before it that reached step k - 1 is near enough. The latest is the nearest, so no other choice need be tried.
import { type Sql, sql } from '../../../db/sql.js';
import type { Piece } from '../subject.js';
import type { Duration, SequenceCondition, SequenceStep } from '../tree.js';
import { eventsOf, eventTest } from './event-filters.js';
import { earliest, every, identifier, listed } from './fragments.js';
import { ago, leaves, span, timeJson } from './moments.js';
import type { Place } from './place.js';

const earlier = sql`(partition by contact_id order by event_date, event_no rows between unbounded preceding and 1 preceding)`;
// Backwards, because PostgreSQL would add up a window that starts further on again for every row.
const later = sql`(partition by contact_id order by event_date desc, event_no desc
  rows between unbounded preceding and 1 preceding)`;

const fits = (step: number) => identifier(`fits${step}`);
const reaches = (step: number) => identifier(`reaches${step}`);

export function sequence(condition: SequenceCondition, place: Place): Piece {
  const { steps, withinLast } = condition;
  const last = steps.at(-1) as SequenceStep;
  const positives = last.not ? steps.length - 1 : steps.length;
  let rows = matches(condition, place);
  for (let step = 2; step <= positives; step++) rows = reached(rows, step, steps[step - 1] as SequenceStep);
  const end = reaches(positives);
  const outcome =
    last.not && last.within ? awaited(rows, end, fits(steps.length), last.within, place) : plain(rows, end);
  const table = place.join(outcome);
  const holds = sql`(${table}.done is not null)`;
  return {
    holds,
    next: earliest([
      sql`${table}.wakes`,
      sql`case when ${table}.done is null then ${table}.due end`,
      // Early: another first event may still match. But only members can drop out this way.
      withinLast && sql`case when ${table}.done is not null then ${leaves(sql`${table}.start`, withinLast)} end`,
    ]),
    value: timeJson(sql`${table}.done`),
  };
}

/** The events of all steps, and of each whether it fits which step. */
function matches({ steps, withinLast }: SequenceCondition, place: Place): Sql {
  const tests = steps.map((step) => step.where && eventTest(step.where, place.now));
  const columns = steps.map((step, i) => {
    const parts = [sql`e.event_date <= ${place.now}`, sql`e.event_name = ${step.name}`];
    const tested = tests[i];
    return sql`${every(tested ? [...parts, tested.holds] : parts)} as ${i === 0 ? reaches(1) : fits(i + 1)}`;
  });
  const next = earliest(tests.map((tested) => tested?.next));
  const wake = sql`case when e.event_date > ${place.now} then e.event_date ${next ? sql`else ${next}` : sql``} end`;
  return sql`select e.contact_id, e.event_date, e.event_no, ${wake} as wake, ${listed(columns)}
    from ${eventsOf(place, [
      sql`e.event_name = any (${[...new Set(steps.map((step) => step.name))]}::text[])`,
      // The first event bounds the others, which are later.
      ...(withinLast ? [sql`e.event_date >= ${ago(place.now, withinLast)}`] : []),
    ])}`;
}

function reached(rows: Sql, step: number, { within }: SequenceStep): Sql {
  const before = sql`max(event_date) filter (where ${reaches(step - 1)}) over ${earlier}`;
  const isNear = within ? sql`coalesce(${before} >= event_date - ${span(within)}, false)` : sql`${before} is not null`;
  return sql`select *, ${fits(step)} and ${isNear} as ${reaches(step)} from (${rows}) ${identifier(`step${step}`)}`;
}

function plain(rows: Sql, end: Sql): Sql {
  return sql`select contact_id, max(event_date) filter (where ${end}) as done, min(wake) as wakes, null::timestamptz as due,
      min(event_date) filter (where reaches1) as start
    from (${rows}) s group by contact_id`;
}

/** The last step is not to happen: it holds once the time for it has passed. */
function awaited(rows: Sql, end: Sql, unwanted: Sql, within: Duration, place: Place): Sql {
  const limit = sql`event_date + ${span(within)}`;
  return sql`select contact_id, max(event_date) filter (where is_alone and ${limit} < ${place.now}) as done, min(wake) as wakes,
      min(${leaves(sql`event_date`, within)}) filter (where is_alone and ${limit} >= ${place.now}) as due,
      min(event_date) filter (where reaches1) as start
    from (select *, ${end} and coalesce(min(event_date) filter (where ${unwanted}) over ${later} > ${limit}, true) as is_alone
      from (${rows}) s) a
    group by contact_id`;
}
