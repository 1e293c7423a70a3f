// Enrolments as others see them: lists, timelines, what filters ask of them, and what is left of an erased contact.

import type { ContactEnrolment, Enrolment, EnrolmentState } from '@rapport/contract';
import type { Static } from 'typebox';
import { counterDeltas, counters, counterValue, intoCounters } from '../../../db/counters.js';
import type { Database, Runner, Transaction } from '../../../db/database.js';
import { type Page, type PageOf, paged } from '../../../db/paged.js';
import { bytes, type Sql, sql } from '../../../db/sql.js';
import type { Ground, Piece } from '../../filter-language/index.js';
import { tallyExits } from '../passage/queries.js';
import { noteExits } from '../timeline/queries.js';
import type { StoredLine } from '../timeline/say-fact.js';

export type EnrolmentRow = Static<typeof Enrolment>;

/** Of `e`, an enrolment. */
export const columns = sql`
  replace(e.enrolment_id::text, '-', '') as "enrolmentId", e.contact_id as "contactId", e.state, e.reason,
  e.step_id as "stepId", e.entered_at as "enteredAt", e.due_at as "dueAt", e.ended_at as "endedAt", e.goal_at as "goalAt", e.version`;

/** The number of a journey; nothing where there is none. */
export async function findJourneyNo(db: Runner, tenantId: number, journeyId: string): Promise<number | undefined> {
  const row = await db.row(sql<{ journeyNo: number }>`
    select journey_no as "journeyNo" from journey
    where tenant_id = ${tenantId} and journey_id = ${bytes(journeyId)} and deleted_at is null`);
  return row?.journeyNo;
}

/** The steps of these versions that have a name. */
export async function selectStepNames(
  db: Runner,
  tenantId: number,
  versions: readonly { journeyId: string; version: number }[],
): Promise<{ journeyId: string; version: number; stepId: string; name: string }[]> {
  if (versions.length === 0) return [];
  const ids = versions.map(({ journeyId }) => journeyId);
  return db.rows(sql<{ journeyId: string; version: number; stepId: string; name: string }>`
    select w.id as "journeyId", v.version, s.step ->> 'id' as "stepId", s.step ->> 'name' as name
    from unnest(${ids}::text[], ${versions.map(({ version }) => version)}::integer[]) as w (id, version)
    join journey j on j.tenant_id = ${tenantId} and j.journey_id = decode(w.id, 'hex')
    join journey_version v on v.tenant_id = j.tenant_id and v.journey_no = j.journey_no and v.version = w.version
    cross join lateral jsonb_array_elements(v.definition -> 'steps') as s (step)
    where s.step ->> 'name' is not null`);
}

interface EnrolmentFilter {
  states: readonly (typeof EnrolmentState)[number][];
  stepIds: readonly string[];
  contactId: string | undefined;
}

/** Newest first. Totals by state are kept; others are counted. */
export function selectEnrolments(
  db: Database,
  tenantId: number,
  journeyNo: number,
  { states, stepIds, contactId }: EnrolmentFilter,
  page: PageOf,
): Promise<Page<EnrolmentRow>> {
  const isSearch = stepIds.length > 0 || contactId !== undefined;
  const matches = [
    sql`e.tenant_id = ${tenantId} and e.journey_no = ${journeyNo}`,
    ...(states.length === 0 ? [] : [sql`e.state = any(${states}::text[])`]),
    ...(stepIds.length === 0 ? [] : [sql`e.step_id = any(${stepIds}::text[])`]),
    ...(contactId === undefined ? [] : [sql`e.contact_id = ${contactId}::uuid`]),
  ].reduce((all, each) => sql`${all} and ${each}`);
  const kept = states.length === 0 ? (['active', 'completed', 'exited'] as const) : [...new Set(states)];
  const total = isSearch
    ? sql`(select count(*) from enrolment e where ${matches})`
    : kept
        .map((state) => counterValue(tenantId, counters.enrolments(journeyNo, state)))
        .reduce((sum, each) => sql`${sum} + ${each}`);
  const rows = sql<EnrolmentRow>`
    select ${columns} from enrolment e where ${matches}
    order by e.entered_at desc, e.enrolment_id desc limit ${page.limit} offset ${page.offset}`;
  return paged(db, tenantId, { ...page, isSearch: isSearch || states.length > 0 }, { total, rows });
}

/** Of one contact, in every journey that is not deleted. */
export function selectOfContact(
  db: Database,
  tenantId: number,
  contactId: string,
  page: PageOf,
): Promise<Page<Static<typeof ContactEnrolment>>> {
  const from = sql`from enrolment e join journey j on j.tenant_id = e.tenant_id and j.journey_no = e.journey_no
    where e.tenant_id = ${tenantId} and e.contact_id = ${contactId} and j.deleted_at is null`;
  const rows = sql<Static<typeof ContactEnrolment>>`
    select j.journey_id as "journeyId", ${columns} ${from} order by e.entered_at desc, e.enrolment_id desc limit ${page.limit} offset ${page.offset}`;
  return paged(db, tenantId, page, { total: sql`(select count(*) ${from})`, rows });
}

export function findEnrolment(
  db: Runner,
  tenantId: number,
  journeyNo: number,
  enrolmentId: string,
): Promise<EnrolmentRow | undefined> {
  return db.row(sql<EnrolmentRow>`
    select ${columns} from enrolment e
    where e.tenant_id = ${tenantId} and e.enrolment_id = ${enrolmentId} and e.journey_no = ${journeyNo}`);
}

/** The newest lines of its timeline, oldest first. */
export function selectTimeline(
  db: Runner,
  tenantId: number,
  enrolmentId: string,
  atMost: number,
): Promise<StoredLine[]> {
  return db.rows(sql<StoredLine>`
    select at, what, step_id as "stepId", code, subjects, detail from (
      select * from enrolment_line where tenant_id = ${tenantId} and enrolment_id = ${enrolmentId}
      order by no desc, place desc limit ${atMost}
    ) newest order by no, place`);
}

// What says nothing of the person.
const kept = sql`'completed', 'exited', 'split', 'list', 'moved', 'message', 'waiting'`;

/** Takes a contact out of its enrolments, and these. Returns which were its own. */
export async function anonymizeEnrolments(
  tx: Transaction,
  tenantId: number,
  contactId: string,
  others: readonly string[],
  now: string,
): Promise<string[]> {
  // First: a turn that has one of them in hand is waited for, and then what it told is seen.
  await tx.run(sql`
    select from enrolment where tenant_id = ${tenantId} and contact_id = ${contactId} order by enrolment_id for update`);
  const rows = await tx.rows(sql<{ id: string }>`
    with own as materialized (
      select enrolment_id, journey_no, state, step_id, is_holdout from enrolment where tenant_id = ${tenantId} and contact_id = ${contactId}
      order by enrolment_id for update
    ), forgotten as (
      update enrolment e set contact_id = null, words = null, due_at = null, wait_until = null,
        state = case when e.state = 'active' then 'exited' else e.state end,
        reason = case when e.state = 'active' then 'erased' else e.reason end, ended_at = coalesce(e.ended_at, ${now}::timestamptz)
      from own where e.tenant_id = ${tenantId} and e.enrolment_id = own.enrolment_id
    ), counted as (
      ${intoCounters}
      select ${tenantId}, 'enrolments:' || journey_no || ':' || s.state, s.delta * count(*)
      from own cross join (values ('active', -1), ('exited', 1)) as s (state, delta) where own.state = 'active'
      group by journey_no, s.state, s.delta
    ), ended as (
      select * from own where state = 'active'
    ), tallied as (${tallyExits(tenantId, sql`ended`, now)}
    ), noted as (${noteExits(tenantId, sql`ended`, 'erased', now)}
    ), told as (
      select enrolment_id from own union all select unnest(${others}::uuid[])
    ), silenced_lines as (
      update enrolment_event v set detail = null, code = null, subjects = null from told
      where v.tenant_id = ${tenantId} and v.enrolment_id = told.enrolment_id and v.what not in (${kept})
    ), silenced as (
      update enrolment_turn t set lines = (
        select json_agg(case when l.line ->> 0 in (${kept}) then l.line else json_build_array(l.line ->> 0, l.line ->> 1) end order by l.place)
        from json_array_elements(t.lines) with ordinality as l (line, place))
      from told where t.tenant_id = ${tenantId} and t.enrolment_id = told.enrolment_id
    )
    select enrolment_id as id from own`);
  return rows.map((row) => row.id);
}

/** What waits for an erased contact: news, dates, and its place in runs. */
export async function deleteFromJourneys(tx: Transaction, tenantId: number, contactId: string): Promise<void> {
  await tx.run(sql`
    with news as (delete from journey_news where tenant_id = ${tenantId} and contact_id = ${contactId} and journey_no > 0),
    dates as (
      delete from journey_date d using journey j
      where j.tenant_id = ${tenantId} and d.tenant_id = j.tenant_id and d.journey_no = j.journey_no and d.contact_id = ${contactId}
    )
    update journey_run_chunk c set contact_ids = array_remove(c.contact_ids, ${contactId}::uuid) from journey_run r
    where r.tenant_id = ${tenantId} and r.ended_at is null and c.tenant_id = r.tenant_id and c.run_id = r.run_id
      and c.contact_ids @> array[${contactId}::uuid]`);
}

export async function insertErased(
  tx: Transaction,
  tenantId: number,
  contactId: string,
  enrolmentIds: readonly string[],
  now: string,
): Promise<void> {
  await tx.run(sql`
    insert into journey_news (tenant_id, journey_no, kind, contact_id, at, data)
    values (${tenantId}, 0, 'changed', ${contactId}, ${now}, ${JSON.stringify({ enrolmentIds })}::jsonb)`);
}

export function takeErased(
  tx: Transaction,
  tenantId: number,
): Promise<{ contactId: string; enrolmentIds: string[] }[]> {
  return tx.rows(sql<{ contactId: string; enrolmentIds: string[] }>`
    delete from journey_news where tenant_id = ${tenantId} and journey_no = 0
    returning contact_id as "contactId", data -> 'enrolmentIds' as "enrolmentIds"`);
}

/** How many are on their way, of all tenants: as they are counted. */
export async function countActiveEnrolments(db: Runner): Promise<number> {
  const row = await db.row(sql<{ active: number }>`
    /* all tenants */ select coalesce(sum(c.delta), 0)::int8 as active from journey j
    join ${counterDeltas} c on c.tenant_id = j.tenant_id and c.counter = 'enrolments:' || j.journey_no || ':active'
    where j.state = 'active' or j.is_stopping`);
  return row?.active ?? 0;
}

export type AskedState = 'entered' | 'inProgress' | 'completed' | 'exited' | 'goalReached';

/** When an enrolment came to be so; null where it is not. */
const reachedAt: Readonly<Record<AskedState, Sql>> = {
  entered: sql`e.entered_at`,
  inProgress: sql`case when e.state = 'active' then e.entered_at end`,
  completed: sql`case when e.state = 'completed' then e.ended_at end`,
  exited: sql`case when e.state = 'exited' then e.ended_at end`,
  goalReached: sql`e.goal_at`,
};

/** Whether one of the contact's enrolments in a journey is so, or came to be so lately. */
export function testEnrolments(
  { journeyId, state, withinMs }: { journeyId: string; state: AskedState; withinMs: number | undefined },
  on: Ground,
): Piece {
  const table = on.join(sql`(
    select e.contact_id, max(${reachedAt[state]}) as at from enrolment e
    where e.tenant_id = ${on.tenant} and ${on.scope(sql`e.contact_id`)} and e.journey_no = (
      select j.journey_no from journey j where j.tenant_id = ${on.tenant} and j.journey_id = ${bytes(journeyId)}::bytea)
    group by e.contact_id)`);
  if (withinMs === undefined) return { holds: sql`${table}.at is not null`, value: sql`to_jsonb(${table}.at)` };
  const span = sql`${withinMs}::float8 * interval '1 millisecond'`;
  const holds = sql`coalesce(${table}.at >= ((${on.now} at time zone 'UTC' - ${span}) at time zone 'UTC'), false)`;
  return {
    holds,
    // Times have milliseconds: from the next one on it lies too far back.
    next: sql`case when ${holds} then ${table}.at + ${span} + interval '1 millisecond' end`,
    value: sql`to_jsonb(${table}.at)`,
  };
}

export async function addToCounters(
  tx: Transaction,
  tenantId: number,
  deltas: ReadonlyMap<string, number>,
): Promise<void> {
  const some = [...deltas].filter(([, delta]) => delta !== 0);
  if (some.length === 0) return;
  await tx.run(sql`
    ${intoCounters}
    select ${tenantId}, c.counter, c.delta
    from unnest(${some.map(([counter]) => counter)}::text[], ${some.map(([, delta]) => delta)}::bigint[]) as c (counter, delta)`);
}
