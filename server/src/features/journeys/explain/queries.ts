// What is known about a contact in a journey: the material for an explanation.
import type { TimelineFact } from '@rapport/contract';
import type { Runner } from '../../../db/database.js';
import { bytes, sql } from '../../../db/sql.js';
import type { JourneyStatus, JourneyType, Json } from '../queries.js';
import { type StoredFact, sayStored } from '../timeline/say-fact.js';

export interface ToldJourney {
  journeyNo: number;
  journeyId: string;
  type: JourneyType;
  state: JourneyStatus;
  version: number | null;
  activatedAt: string | null;
  pausedAt: string | null;
  nextRunAt: string | null;
  definition: Json | null;
  /** When its last run began. */
  ranAt: string | null;
  now: string;
}

export function findTold(db: Runner, tenantId: number, journeyId: string): Promise<ToldJourney | undefined> {
  return db.row(sql<ToldJourney>`
    select j.journey_no as "journeyNo", j.journey_id as "journeyId", j.type, j.state, j.version, j.activated_at as "activatedAt",
      j.paused_at as "pausedAt", j.next_run_at as "nextRunAt", j.definition, date_trunc('milliseconds', clock_timestamp()) as now,
      (select max(r.run_at) from journey_run r where r.tenant_id = j.tenant_id and r.journey_no = j.journey_no) as "ranAt"
    from journey j where j.tenant_id = ${tenantId} and j.journey_id = ${bytes(journeyId)} and j.deleted_at is null`);
}

export interface ToldEnrolment {
  enrolmentId: string;
  version: number;
  state: 'active' | 'completed' | 'exited';
  reason: string | null;
  stepId: string | null;
  stepAt: string;
  phase: 'ready' | 'waiting' | 'writing' | 'calling';
  waitUntil: string | null;
  enteredAt: string;
  endedAt: string | null;
  goalAt: string | null;
  entry: Record<string, unknown> | null;
  /** Why it entered, as its timeline says. */
  cause: StoredFact | null;
}

/** Why an enrolment `e` began: a StoredFact. */
const causeSql = sql`(
  select jsonb_build_object('code', v.code, 'subjects', v.subjects, 'detail', v.detail) from enrolment_line v
  where v.tenant_id = e.tenant_id and v.enrolment_id = e.enrolment_id and v.what = 'entered' order by v.no, v.place limit 1)`;

/** The newest first. */
export function selectToldEnrolments(
  db: Runner,
  tenantId: number,
  journeyNo: number,
  contactId: string,
  atMost: number,
): Promise<ToldEnrolment[]> {
  return db.rows(sql<ToldEnrolment>`
    select replace(e.enrolment_id::text, '-', '') as "enrolmentId", e.version, e.state, e.reason, e.step_id as "stepId",
      e.step_at as "stepAt", e.phase, e.wait_until as "waitUntil", e.entered_at as "enteredAt", e.ended_at as "endedAt",
      e.goal_at as "goalAt", e.words -> 'event' as entry,
      ${causeSql} as cause
    from enrolment e where e.tenant_id = ${tenantId} and e.contact_id = ${contactId} and e.journey_no = ${journeyNo}
    order by e.entered_at desc, e.enrolment_id desc limit ${atMost}`);
}

/** When the oldest news of a contact came that its journey has not seen yet. */
export async function findWaiting(
  db: Runner,
  tenantId: number,
  journeyNo: number,
  contactId: string,
): Promise<string | undefined> {
  const row = await db.row(sql<{ at: string | null }>`
    select min(at) as at from journey_news
    where tenant_id = ${tenantId} and contact_id = ${contactId} and journey_no = ${journeyNo}`);
  return row?.at ?? undefined;
}

/**
 * Timelines of the contact's own enrolments that say why this journey was not started by them. Enrolment by enrolment: the planner would take the
 * lines of all timelines apart first.
 */
export function selectRefusals(
  db: Runner,
  tenantId: number,
  journeyId: string,
  contactId: string,
  atMost: number,
): Promise<(StoredFact & { at: string })[]> {
  return db.rows(sql<StoredFact & { at: string }>`
    select v.at, v.code, v.subjects, v.detail from (
      select enrolment_id from enrolment where tenant_id = ${tenantId} and contact_id = ${contactId} offset 0
    ) e cross join lateral (
      select * from enrolment_line where tenant_id = ${tenantId} and enrolment_id = e.enrolment_id offset 0
    ) v
    where v.code = ${'journeyNotStarted' satisfies TimelineFact['code']} and v.subjects ->> 'journeyId' = ${journeyId}
    order by v.no desc, v.place desc limit ${atMost}`);
}

/** When and why an enrolment began, as its timeline says. */
export async function findCause(
  db: Runner,
  tenantId: number,
  enrolmentId: string,
): Promise<{ at: string; why: string | null } | undefined> {
  const row = await db.row(sql<{ at: string; cause: StoredFact | null }>`
    select e.entered_at as at, ${causeSql} as cause from enrolment e
    where e.tenant_id = ${tenantId} and e.enrolment_id = ${enrolmentId}`);
  return row && { at: row.at, why: row.cause && sayStored(row.cause) };
}
