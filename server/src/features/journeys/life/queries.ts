// What changes in the life of a journey: its versions, its state, and what processes remember of them.
import type { Runner, Transaction } from '../../../db/database.js';
import { locks } from '../../../db/locks.js';
import { type Sql, sql } from '../../../db/sql.js';
import { tallyExits } from '../passage/queries.js';
import type { By, Json } from '../queries.js';
import { noteExits } from '../timeline/queries.js';

/**
 * Until the transaction ends, the tenant's journeys get no news, no enrolment moves, and what they listen to does not change. Returns the
 * time, read after the lock: news that were acknowledged before it are through.
 */
export async function lockJourneys(tx: Transaction, tenantId: number): Promise<string> {
  // Writers of news queue up behind this lock: it gives up on a long turn after a second, and is tried again.
  await tx.run(sql`select set_config('lock_timeout', '1s', true)`);
  await tx.run(sql`select pg_advisory_xact_lock(${locks.journeys}::integer, ${tenantId}::integer)`);
  const row = await tx.row(sql<{ now: string }>`select clock_timestamp() as now`);
  return (row as { now: string }).now;
}

/** Until the transaction ends no journey starts or ceases to listen; see hold_journeys(). */
export async function holdEdition(tx: Transaction, tenantId: number): Promise<void> {
  await tx.run(sql`select hold_journeys(${tenantId})`);
}

/** The last thing that a change does: what any process remembers of the tenant's journeys is out of date now. */
export async function bumpEdition(tx: Transaction, tenantId: number): Promise<void> {
  await tx.run(sql`
    insert into journey_edition as e (tenant_id, edition) values (${tenantId}, 1)
    on conflict (tenant_id) do update set edition = e.edition + 1`);
}

export async function findVersion(
  db: Runner,
  tenantId: number,
  journeyNo: number,
  version: number,
): Promise<Json | undefined> {
  const row = await db.row(sql<{ definition: Json }>`
    select definition from journey_version
    where tenant_id = ${tenantId} and journey_no = ${journeyNo} and version = ${version}`);
  return row?.definition;
}

/** Contacts enter it from now on. One that was there before keeps the time of its first activation. */
export async function putVersion(
  tx: Transaction,
  tenantId: number,
  journeyNo: number,
  version: number,
  definition: Json,
  now: string,
): Promise<void> {
  await tx.run(sql`
    insert into journey_version (tenant_id, journey_no, version, definition, activated_at)
    values (${tenantId}, ${journeyNo}, ${version}, ${JSON.stringify(definition)}::jsonb, ${now})
    on conflict (tenant_id, journey_no, version) do update set is_live = true`);
}

// Of `v`, a version: somebody is on the way in it, or a run still puts them there.
const isInUse = sql`
  exists (select 1 from enrolment e where e.tenant_id = v.tenant_id and e.journey_no = v.journey_no
    and e.version = v.version and e.state = 'active')
  or exists (select 1 from journey_run r where r.tenant_id = v.tenant_id and r.journey_no = v.journey_no
    and r.version = v.version and r.ended_at is null)`;

/**
 * Of `j`, whether it is a broadcast with a test that may have no winner although everything was sent, because everybody took part. A test
 * is decided within seven days of the beginning.
 */
export const isTestAfterwards = sql`(j.state = 'inactive' and j.broadcast ? 'abTest' and not j.is_cancelled and j.deleted_at is null
  and j.ended_at > now() - interval '8 days')`;
const lacksWinner = sql`not exists (select from split_winner w
  where w.tenant_id = v.tenant_id and w.journey_no = v.journey_no and w.version = v.version)`;

/**
 * Earlier versions that the last contact has left are live no more. No contact comes back to one, so this needs no lock; a
 * process that still listens for it hears nothing.
 */
export function retireVersions(db: Runner, atMost: number): Promise<number> {
  return db.run(sql`
    /* all tenants */ update journey_version set is_live = false where (tenant_id, journey_no, version) in (
      select v.tenant_id, v.journey_no, v.version from journey_version v
      join journey j on j.tenant_id = v.tenant_id and j.journey_no = v.journey_no
      where v.is_live and (j.state <> 'active' or j.version <> v.version) and not (${isInUse})
        and not (${isTestAfterwards} and j.version = v.version and ${lacksWinner}) limit ${atMost})`);
}

/** The same for one journey. */
export async function retireVersionsOf(
  tx: Transaction,
  tenantId: number,
  journeyNo: number,
  but: number,
): Promise<void> {
  await tx.run(sql`
    update journey_version v set is_live = false
    where v.tenant_id = ${tenantId} and v.journey_no = ${journeyNo} and v.is_live and v.version <> ${but} and not (${isInUse})`);
}

interface Begun {
  version: number;
  nextRunAt: string | null;
  /** Contacts enter on a date of their own, which has to be found for each of them. */
  isByDate: boolean;
}

export async function setActive(
  tx: Transaction,
  { tenantId, accountId }: By,
  journeyNo: number,
  { version, nextRunAt, isByDate }: Begun,
  now: string,
): Promise<void> {
  await tx.run(sql`
    update journey set state = 'active', version = ${version}, activated_at = ${now}, paused_at = null,
      next_run_at = ${nextRunAt}, dates_built = ${!isByDate}, dates_to = null, updated_by = ${accountId}, updated_at = now()
    where ${own(tenantId, journeyNo)}`);
}

export interface Edited {
  version: number;
  nextRunAt: string | null;
  /** The dates on which contacts enter: to be found for each contact, kept as they were found, or not used by this journey. */
  dates: 'anew' | 'kept' | 'none';
  /** Those of earlier versions are to be moved to this one. */
  isMove: boolean;
}

/** Of an active one. */
export async function setVersion(
  tx: Transaction,
  tenantId: number,
  journeyNo: number,
  { version, nextRunAt, dates, isMove }: Edited,
): Promise<void> {
  await tx.run(sql`
    update journey set version = ${version}, next_run_at = ${nextRunAt},
      dates_built = case ${dates}::text when 'anew' then false when 'none' then true else dates_built end,
      dates_to = case when ${dates}::text = 'kept' then dates_to end,
      moves = case when ${isMove}::boolean then moves || ${version}::integer else moves end
    where ${own(tenantId, journeyNo)}`);
}

export async function setInactive(tx: Transaction, { tenantId, accountId }: By, journeyNo: number): Promise<void> {
  await tx.run(sql`
    with ended as (
      update journey_version set is_live = false
      where tenant_id = ${tenantId} and journey_no = ${journeyNo} and is_live
    )
    update journey set state = 'inactive', is_stopping = true, paused_at = null, next_run_at = null, moves = '{}',
      updated_by = ${accountId}, updated_at = now()
    where ${own(tenantId, journeyNo)}`);
}

export async function setPaused(
  tx: Transaction,
  tenantId: number,
  journeyNo: number,
  at: string | null,
): Promise<void> {
  await tx.run(sql`update journey set paused_at = ${at} where ${own(tenantId, journeyNo)}`);
}

function own(tenantId: number, journeyNo: number): Sql {
  return sql`tenant_id = ${tenantId} and journey_no = ${journeyNo}`;
}

/** Whether any contact is under way. */
export async function hasActive(db: Runner, tenantId: number, journeyNo: number): Promise<boolean> {
  const row = await db.row(sql`
    select 1 from enrolment where tenant_id = ${tenantId} and journey_no = ${journeyNo} and state = 'active' limit 1`);
  return row !== undefined;
}

/** Active and held journeys of all tenants. */
export async function countActive(db: Runner): Promise<{ active: number; paused: number }> {
  const row = await db.row(sql<{ active: number; paused: number }>`
    /* all tenants */ select count(*) filter (where paused_at is null) as active, count(*) filter (where paused_at is not null) as paused
    from journey where state = 'active' and deleted_at is null`);
  return row ?? { active: 0, paused: 0 };
}

interface EndedEnrolment {
  enrolmentId: string;
  contactId: string;
  version: number;
  /** What it was about when it was ended. */
  phase: 'ready' | 'waiting' | 'writing' | 'calling';
}

/** Of a journey that stops: ends some of those who are on the way. Returns whom; who is erased meanwhile has ended by that. */
export function endEnrolments(
  tx: Transaction,
  tenantId: number,
  journeyNo: number,
  reason: string,
  atMost: number,
  now: string,
): Promise<EndedEnrolment[]> {
  return tx.rows(sql<EndedEnrolment>`
    with chosen as materialized (
      select enrolment_id from enrolment
      where tenant_id = ${tenantId} and journey_no = ${journeyNo} and state = 'active' limit ${atMost}
    ), ended as (
      update enrolment e set state = 'exited', reason = ${reason}, ended_at = ${now}, due_at = null, wait_until = null
      from chosen c where e.tenant_id = ${tenantId} and e.enrolment_id = c.enrolment_id and e.state = 'active'
      returning e.enrolment_id, e.journey_no, e.step_id, e.contact_id, e.version, e.phase, e.is_holdout
    ), tallied as (${tallyExits(tenantId, sql`ended`, now)}
    ), noted as (${noteExits(tenantId, sql`ended`, reason, now)}
    )
    select enrolment_id as "enrolmentId", contact_id as "contactId", version, phase from ended`);
}

/** Forgets some of the news that a stopping journey has not read, and some of the contacts that its runs have not enrolled. Returns how many. */
export async function dropWaiting(
  tx: Transaction,
  tenantId: number,
  journeyNo: number,
  atMost: number,
): Promise<number> {
  const news = await tx.run(sql`
    delete from journey_news where tenant_id = ${tenantId} and journey_no = ${journeyNo} and news_no in (
      select news_no from journey_news where tenant_id = ${tenantId} and journey_no = ${journeyNo} limit ${atMost})`);
  const chunks = await tx.run(sql`
    delete from journey_run_chunk where (tenant_id, run_id, chunk_no) in (
      select c.tenant_id, c.run_id, c.chunk_no from journey_run r
      join journey_run_chunk c on c.tenant_id = r.tenant_id and c.run_id = r.run_id
      where r.tenant_id = ${tenantId} and r.journey_no = ${journeyNo} and r.ended_at is null limit ${atMost})`);
  return Math.max(news, chunks);
}

/** Nothing of it is left to be ended. */
export async function setStopped(tx: Transaction, tenantId: number, journeyNo: number, now: string): Promise<void> {
  await tx.run(sql`
    with runs as (
      update journey_run set ended_at = ${now}
      where tenant_id = ${tenantId} and journey_no = ${journeyNo} and ended_at is null
    )
    update journey set is_stopping = false where ${own(tenantId, journeyNo)}`);
}
