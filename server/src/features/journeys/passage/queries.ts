// What passed through journeys, as it is counted: see journey_tally.
import type { Runner, Transaction } from '../../../db/database.js';
import { type Sql, sql } from '../../../db/sql.js';
import { foldTallies, piecesOf, type Tallies, tallied, type Window } from '../../../db/tallies.js';
import { instantOf } from '../../../lib/instant.js';
import type { Deltas } from './deltas.js';
import { endOf, lastVisit, type PassageDetail, partsOf, passedIn } from './rest/queries.js';

export const passageTallies: Tallies = {
  table: sql`journey_tally`,
  deltas: sql`journey_tally_delta`,
  key: [sql`journey_no`, sql`step_id`, sql`part`, sql`what`],
  counts: [sql`n`],
};

/** See journey_tally: `stepId` is null for the journey itself. */
export interface PassageRow {
  journeyNo: number;
  stepId: string | null;
  part: string;
  what: string;
  n: number;
}

const shown: Readonly<Record<PassageDetail, Sql>> = {
  journeys: sql`step_id = ''`,
  steps: sql`what not like 'took:%'`,
  times: sql`true`,
};

/**
 * What passed through these journeys in a window. In one statement, so that nothing is missed or counted twice, whatever happens and is
 * folded meanwhile. In no order, and without zeros.
 */
export async function readPassage(
  db: Runner,
  tenantId: number,
  journeyNos: readonly number[],
  window: Window,
  detail: PassageDetail = 'times',
): Promise<PassageRow[]> {
  if (journeyNos.length === 0) return [];
  const which = sql`journey_no = any(${journeyNos}::integer[]) and ${shown[detail]}`;
  const { rest } = piecesOf(window);
  const counted = sql`select journey_no, step_id, part, what, n from (${tallied(passageTallies, tenantId, which, window)}) t`;
  const all =
    rest.length === 0
      ? counted
      : sql`${counted} union all
        select journey_no, step_id collate "C", part collate "C", what collate "C", count(*) from (${passedIn(tenantId, journeyNos, rest, detail)}) r
        group by journey_no, step_id, part, what`;
  return db.rows(sql<PassageRow>`
    select journey_no as "journeyNo", nullif(step_id, '') as "stepId", part, what, sum(n)::int8 as n from (${all}) p
    group by journey_no, step_id, part, what having sum(n) <> 0`);
}

/** How many passed through a journey as a whole, and how many of them are held out. */
interface PassageSum {
  journeyNo: number;
  entered: number;
  completed: number;
  exited: number;
  reachedGoal: number;
  heldEntered: number;
  heldReachedGoal: number;
}

/** The same of journeys as wholes, one row each: of 500 journeys, single rows of counters would cost more than all else. */
export async function sumPassage(
  db: Runner,
  tenantId: number,
  journeyNos: readonly number[],
  window: Window,
): Promise<PassageSum[]> {
  if (journeyNos.length === 0) return [];
  const { rest } = piecesOf(window);
  const counted = wholesIn(tenantId, sql`${journeyNos}::integer[]`, window);
  const all =
    rest.length === 0
      ? counted
      : sql`${counted} union all
        select journey_no, part collate "C", what collate "C", 1 from (${passedIn(tenantId, journeyNos, rest, 'journeys')}) r
        where step_id = ''`;
  return db.rows(sumsOf(all));
}

/** The same of all time, as a query to be joined to others. `journeyNos`: an array. */
export function sumPassageEver(tenantId: number, journeyNos: Sql): Sql {
  return sumsOf(wholesIn(tenantId, journeyNos, { from: null, to: null }));
}

function wholesIn(tenantId: number, journeyNos: Sql, window: Window): Sql {
  const which = sql`journey_no = any(${journeyNos}) and step_id = ''`;
  const whole = { ...passageTallies, key: [sql`journey_no`, sql`part`, sql`what`] };
  return sql`select journey_no, part, what, n from (${tallied(whole, tenantId, which, window)}) t`;
}

function sumsOf(passed: Sql): Sql<PassageSum> {
  const sum = (what: Sql, part = sql`''`) =>
    sql`coalesce(sum(n) filter (where what = ${what} and part = ${part}), 0)::int8`;
  return sql<PassageSum>`
    select journey_no as "journeyNo", ${sum(sql`'entered'`)} as entered, ${sum(sql`'completed'`)} as completed,
      ${sum(sql`'exited'`)} as exited, ${sum(sql`'goal'`)} as "reachedGoal",
      ${sum(sql`'entered'`, sql`'holdout'`)} as "heldEntered", ${sum(sql`'goal'`, sql`'holdout'`)} as "heldReachedGoal"
    from (${passed}) p group by journey_no`;
}

export async function insertDeltas(tx: Transaction, tenantId: number, { all: deltas, hour }: Deltas): Promise<void> {
  if (deltas.length === 0) return;
  await tx.run(sql`
    insert into journey_tally_delta (tenant_id, journey_no, step_id, part, what, hour, n)
    select ${tenantId}, d.journey_no, d.step_id, d.part, d.what, ${instantOf(hour)}::timestamptz, d.n from unnest(${deltas.map((d) => d.journeyNo)}::integer[], ${deltas.map((d) => d.stepId)}::text[],
      ${deltas.map((d) => d.part)}::text[], ${deltas.map((d) => d.what)}::text[],
      ${deltas.map((d) => d.n)}::integer[]) as d (journey_no, step_id, part, what, n)`);
}

/**
 * A part of a statement that lets enrolments exit: counts that. `ended` has their enrolment_id, journey_no and is_holdout. All that they
 * did before is to be seen by the statement: they do not move meanwhile.
 */
export function tallyExits(tenantId: number, ended: Sql, now: string): Sql {
  const at = sql`${now}::timestamptz`;
  return sql`
    insert into journey_tally_delta (tenant_id, journey_no, step_id, part, what, hour, n)
    select ${tenantId}, journey_no, step_id, part, what, date_trunc('hour', ${at}, 'UTC'), count(*) from (
      select e.journey_no, '' as step_id, p.part, 'exited' as what from ${ended} e cross join lateral ${partsOf}
      union all
      select e.journey_no, b.step_id, '', w.what from ${ended} e
      cross join lateral ${lastVisit(tenantId, sql`true`)} b cross join lateral ${endOf(sql`b.at`, at)}
    ) x group by journey_no, step_id, part, what`;
}

export function foldPassage(db: Runner, atMost: number): Promise<number> {
  return foldTallies(db, passageTallies, atMost);
}
