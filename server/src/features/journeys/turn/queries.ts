// What a turn takes: live journeys, news, those whose time has come.
import type { Runner, Transaction } from '../../../db/database.js';
import { holderSince, locks } from '../../../db/locks.js';
import { type Sql, sql } from '../../../db/sql.js';
import type { TraceParent } from '../../../lib/tracing.js';
import { writeTransactionTable } from '../../transactions/index.js';
import type { State, WonArm, Words } from '../engine/types.js';
import { type NewsKind, newsKinds } from '../news/queries.js';

/** Milliseconds since 1970 of a column. */
const ms = (column: Sql) => sql`(extract(epoch from ${column}) * 1000)::float8`;

/** A journey that is active, or was and has enrolments left to end. */
export interface LiveJourney {
  journeyNo: number;
  journeyId: string;
  type: 'batch' | 'trigger';
  isActive: boolean;
  isPaused: boolean;
  isStopping: boolean;
  /** The version that contacts enter. */
  version: number;
  activatedAt: number;
  nextRunAt: number | null;
  /** Versions that those of earlier ones are still to be moved to. */
  moves: number[];
  datesTo: string | null;
  datesBuilt: boolean;
  isBroadcast: boolean;
}

export function selectLive(tx: Runner, tenantId: number): Promise<LiveJourney[]> {
  return tx.rows(sql<LiveJourney>`
    select journey_no as "journeyNo", journey_id as "journeyId", type, state = 'active' as "isActive",
      paused_at is not null as "isPaused", is_stopping as "isStopping", version, ${ms(sql`activated_at`)} as "activatedAt",
      ${ms(sql`next_run_at`)} as "nextRunAt", moves, dates_to as "datesTo", dates_built as "datesBuilt",
      broadcast is not null as "isBroadcast"
    from journey where tenant_id = ${tenantId} and (state = 'active' or is_stopping) order by journey_no`);
}

export interface NewsRow {
  newsNo: number;
  journeyNo: number;
  kind: NewsKind;
  contactId: string;
  enrolmentId: string | null;
  at: number;
  data: Record<string, unknown> | null;
  /** The trace that it is part of, if there is one. */
  trace: TraceParent | null;
}

/** News that this build can read. */
export const isKnown = sql`kind = any(${newsKinds}::text[])`;

/** The oldest news of these journeys that this build can read. */
export function selectNews(
  tx: Transaction,
  tenantId: number,
  journeyNos: readonly number[],
  atMost: number,
  start: NewsStart,
): Promise<NewsRow[]> {
  const starts = journeyNos.map((journeyNo) => start.of(tenantId, journeyNo));
  return tx.rows(sql<NewsRow>`
    select n.* from unnest(${journeyNos}::integer[], ${starts}::bigint[]) as j (no, start) cross join lateral (
      select news_no as "newsNo", journey_no as "journeyNo", kind, contact_id as "contactId", enrolment_id as "enrolmentId",
        ${ms(sql`at`)} as at, data, traceparent as trace
      from journey_news where tenant_id = ${tenantId} and journey_no = j.no and news_no >= j.start and ${isKnown}
      order by news_no limit ${atMost}
    ) n order by n."newsNo" limit ${atMost}`);
}

/** Which piece of news. */
export type NewsKey = Pick<NewsRow, 'journeyNo' | 'newsNo'>;

export function findNews(
  tx: Transaction,
  tenantId: number,
  { journeyNo, newsNo }: NewsKey,
): Promise<(Pair & Pick<NewsRow, 'enrolmentId'>) | undefined> {
  return tx.row(sql<Pair & Pick<NewsRow, 'enrolmentId'>>`
    select journey_no as "journeyNo", contact_id as "contactId", enrolment_id as "enrolmentId"
    from journey_news where tenant_id = ${tenantId} and journey_no = ${journeyNo} and news_no = ${newsNo}`);
}

/** Where the news of a journey of a tenant begin. */
export type NewsHead = NewsKey & { tenantId: number };

/** From which number on news are read: all before is done. */
export interface NewsStart {
  readonly base: number;
  /** Of journeys that have some from before the base. */
  readonly heads: readonly NewsHead[];
  of(tenantId: number, journeyNo: number): number;
}

/** One lookup for each key, whatever the planner knows: a join would read everything that is gone and still there. */
export async function deleteNews(tx: Transaction, tenantId: number, news: readonly NewsKey[]): Promise<void> {
  if (news.length === 0) return;
  const keys = [news.map(({ journeyNo }) => journeyNo), news.map(({ newsNo }) => newsNo)];
  await tx.run(sql`
    delete from journey_news n using (
      select found.at from unnest(${keys[0]}::integer[], ${keys[1]}::bigint[]) as d (journey_no, news_no) cross join lateral (
        select ctid as at from journey_news
        where tenant_id = ${tenantId} and journey_no = d.journey_no and news_no = d.news_no limit 1
      ) found
    ) d where n.tenant_id = ${tenantId} and n.ctid = d.at`);
}

export interface EnrolmentRow extends Omit<State, 'words' | 'arms'> {
  enrolmentId: string;
  journeyNo: number;
  version: number;
  runId: string | null;
  contactId: string;
  enteredAt: number;
  dueAt: number | null;
  words: Words | null;
  arms: Record<string, string> | null;
}

// Of `e`, an enrolment.
const columns = sql`
  e.enrolment_id as "enrolmentId", e.journey_no as "journeyNo", e.version, e.run_id as "runId", e.contact_id as "contactId",
  e.step_id as "stepId", e.visit, ${ms(sql`e.step_at`)} as "stepAt", e.phase, ${ms(sql`e.wait_until`)} as "waitUntil",
  ${ms(sql`e.due_at`)} as "dueAt", ${ms(sql`e.entered_at`)} as "enteredAt", ${ms(sql`e.goal_at`)} as "goalAt",
  e.is_holdout as "isHoldout", e.chain, e.restless, e.words, e.arms`;

/**
 * Enrolments of these journeys whose time has come. Not those whose contact has news there that may concern them: what came in time counts,
 * however late it is looked at.
 */
export function selectDueEnrolments(
  tx: Transaction,
  tenantId: number,
  journeyNos: readonly number[],
  atMost: number,
  now: string,
): Promise<EnrolmentRow[]> {
  return tx.rows(sql<EnrolmentRow>`
    select e.* from unnest(${journeyNos}::integer[]) as j (no) cross join lateral (
      select ${columns} from enrolment e
      where e.tenant_id = ${tenantId} and e.journey_no = j.no and e.state = 'active' and e.due_at <= ${now}::timestamptz
        and e.contact_id is not null and not exists (
          select from (
            select journey_no from journey_news where tenant_id = ${tenantId} and contact_id = e.contact_id and not is_entry offset 0
          ) n where n.journey_no = e.journey_no)
      order by e.due_at limit ${atMost}
    ) e order by e."dueAt" limit ${atMost}`);
}

/** A contact in a journey. */
export interface Pair {
  journeyNo: number;
  contactId: string;
}

function pairsTable(pairs: readonly Pair[]): Sql {
  return sql`unnest(${pairs.map((pair) => pair.journeyNo)}::integer[], ${pairs.map((pair) => pair.contactId)}::uuid[])
    as w (journey_no, contact_id)`;
}

/**
 * All of the contact `w`, by the index that is for this, whatever the planner knows: by that of the journey's newest it would read
 * every enrolment of the journey for each contact.
 */
function ofContact(tenantId: number, which = sql`true`): Sql {
  return sql`select * from enrolment where tenant_id = ${tenantId} and contact_id = w.contact_id and ${which} offset 0`;
}

export async function selectActive(tx: Transaction, tenantId: number, pairs: readonly Pair[]): Promise<EnrolmentRow[]> {
  if (pairs.length === 0) return [];
  return tx.rows(sql<EnrolmentRow>`
    select ${columns} from ${pairsTable(pairs)} cross join lateral (
      ${ofContact(tenantId, sql`ended_at is null`)}
    ) e where e.journey_no = w.journey_no and e.state = 'active' order by e.entered_at, e.enrolment_id`);
}

export async function selectActiveByIds(
  tx: Transaction,
  tenantId: number,
  enrolmentIds: readonly string[],
): Promise<EnrolmentRow[]> {
  if (enrolmentIds.length === 0) return [];
  return tx.rows(sql<EnrolmentRow>`
    select ${columns} from unnest(${enrolmentIds}::uuid[]) as w (id) cross join lateral (
      select * from enrolment where tenant_id = ${tenantId} and enrolment_id = w.id offset 0
    ) e where e.state = 'active' and e.contact_id is not null order by e.entered_at, e.enrolment_id`);
}

/** When each entered last, of those who ever did. */
export async function selectLastEntries(
  tx: Transaction,
  tenantId: number,
  pairs: readonly Pair[],
): Promise<(Pair & { at: number })[]> {
  if (pairs.length === 0) return [];
  return tx.rows(sql<Pair & { at: number }>`
    select w.journey_no as "journeyNo", w.contact_id as "contactId", ${ms(sql`h.at`)} as at
    from ${pairsTable(pairs)} cross join lateral (
      select max(e.entered_at) as at from (${ofContact(tenantId)}) e where e.journey_no = w.journey_no
    ) h where h.at is not null`);
}

/** Active enrolments of earlier versions that stand on a step of the version which they are moved to. */
export function selectToMove(
  tx: Transaction,
  tenantId: number,
  journeyNo: number,
  version: number,
  stepIds: readonly string[],
  atMost: number,
): Promise<EnrolmentRow[]> {
  return tx.rows(sql<EnrolmentRow>`
    select ${columns} from enrolment e
    where e.tenant_id = ${tenantId} and e.journey_no = ${journeyNo} and e.version < ${version} and e.state = 'active'
      and e.step_id = any(${stepIds}::text[]) and e.contact_id is not null
    limit ${atMost}`);
}

export async function endMove(tx: Transaction, tenantId: number, journeyNo: number, version: number): Promise<void> {
  await tx.run(sql`
    update journey set moves = array_remove(moves, ${version}::integer)
    where tenant_id = ${tenantId} and journey_no = ${journeyNo}`);
}

export function findActive(tx: Transaction, tenantId: number, enrolmentId: string): Promise<EnrolmentRow | undefined> {
  return tx.row(sql<EnrolmentRow>`
    select ${columns} from enrolment e
    where e.tenant_id = ${tenantId} and e.enrolment_id = ${enrolmentId} and e.state = 'active' and e.contact_id is not null`);
}

/** Which version each of these is on, or was on last. */
export async function selectVersionsOf(
  tx: Runner,
  tenantId: number,
  enrolmentIds: readonly string[],
): Promise<{ enrolmentId: string; journeyNo: number; version: number }[]> {
  if (enrolmentIds.length === 0) return [];
  return tx.rows(sql<{ enrolmentId: string; journeyNo: number; version: number }>`
    select e.enrolment_id as "enrolmentId", e.journey_no as "journeyNo", e.version
    from unnest(${enrolmentIds}::uuid[]) as w (id) cross join lateral (
      select enrolment_id, journey_no, version from enrolment where tenant_id = ${tenantId} and enrolment_id = w.id limit 1
    ) e`);
}

export async function delayEnrolment(
  tx: Transaction,
  tenantId: number,
  enrolmentId: string,
  byMs: number,
): Promise<void> {
  await tx.run(sql`
    update enrolment set due_at = clock_timestamp() + ${byMs}::float8 * interval '1 millisecond'
    where tenant_id = ${tenantId} and enrolment_id = ${enrolmentId} and state = 'active'`);
}

/** The arms that won, by `journeyNo:version:stepId`. */
export async function selectWinners(tx: Runner, tenantId: number): Promise<Map<string, WonArm>> {
  const rows = await tx.rows(sql<WonArm & { key: string }>`
    select journey_no || ':' || version || ':' || step_id as key, arm, is_significant as "isSignificant"
    from split_winner where tenant_id = ${tenantId}`);
  return new Map(rows.map(({ key, ...won }) => [key, won]));
}

/**
 * When the oldest of a tenant's writes that wait was acknowledged, or when one began that is applied at once: it is seen only when it is
 * through. Infinity: there is none.
 */
export async function selectWriteHorizon(tx: Runner, tenantId: number): Promise<number> {
  const row = await tx.row(sql<{ at: number | null }>`
    select ${ms(sql`least((
      select created_at from ${writeTransactionTable}
      where tenant_id = ${tenantId} and status = 'PENDING' and not is_long order by seq limit 1
    ), ${holderSince(tenantId, locks.writeTurn)})`)} as at`);
  return row?.at ?? Number.POSITIVE_INFINITY;
}

export async function selectMoment(tx: Runner): Promise<string> {
  const row = await tx.row(sql<{ now: string }>`select clock_timestamp() as now`);
  return (row as { now: string }).now;
}
