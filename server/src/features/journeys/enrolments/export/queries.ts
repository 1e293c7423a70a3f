import type { ContactEnrolment, TimelineEntry } from '@rapport/contract';
import type { Static } from 'typebox';
import type { Runner } from '../../../../db/database.js';
import { sql } from '../../../../db/sql.js';
import { type StoredLine, sayLine } from '../../timeline/say-fact.js';
import { columns } from '../queries.js';

type Words = Record<string, unknown>;

interface EnrolmentOfContact extends Static<typeof ContactEnrolment> {
  journeyName: string;
  isHoldout: boolean;
  words: Words | null;
  arms: Words | null;
  /** All of it, oldest first. */
  timeline: Static<typeof TimelineEntry>[];
}

/** Of a contact in every journey, deleted ones too, by id. */
export async function selectEnrolmentsAfter(
  db: Runner,
  tenantId: number,
  contactId: string,
  after: string | undefined,
  limit: number,
): Promise<EnrolmentOfContact[]> {
  const rows = await db.rows(sql<Omit<EnrolmentOfContact, 'timeline'> & { timeline: StoredLine[] }>`
    select j.journey_id as "journeyId", j.name as "journeyName", ${columns}, e.is_holdout as "isHoldout", e.words, e.arms, (
      select coalesce(jsonb_agg(jsonb_build_object(
        'at', to_char(v.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'what', v.what, 'stepId', v.step_id,
        'code', v.code, 'subjects', v.subjects, 'detail', v.detail) order by v.no, v.place), '[]')
      from enrolment_line v where v.tenant_id = ${tenantId} and v.enrolment_id = e.enrolment_id
    ) as timeline
    from enrolment e join journey j on j.tenant_id = e.tenant_id and j.journey_no = e.journey_no
    where e.tenant_id = ${tenantId} and e.contact_id = ${contactId} and e.enrolment_id > ${after ?? '0'.repeat(32)}::uuid
    order by e.enrolment_id limit ${limit}`);
  return rows.map((row) => ({ ...row, timeline: row.timeline.map(sayLine) }));
}

export interface NewsOfContact {
  newsNo: number;
  journeyId: string;
  kind: string;
  at: string;
  data: Words | null;
}

/** What a journey is still to see of a contact, in its order. */
export function selectNewsAfter(
  db: Runner,
  tenantId: number,
  contactId: string,
  after: number | undefined,
  limit: number,
): Promise<NewsOfContact[]> {
  return db.rows(sql<NewsOfContact>`
    select n.news_no as "newsNo", j.journey_id as "journeyId", n.kind, n.at, n.data
    from journey_news n join journey j on j.tenant_id = n.tenant_id and j.journey_no = n.journey_no
    where n.tenant_id = ${tenantId} and n.contact_id = ${contactId} and n.news_no > ${after ?? 0}
    order by n.news_no limit ${limit}`);
}

/** When journeys begin for a contact: one row a journey. */
export function selectDatesOf(
  db: Runner,
  tenantId: number,
  contactId: string,
): Promise<{ journeyId: string; dueAt: string }[]> {
  return db.rows(sql<{ journeyId: string; dueAt: string }>`
    select j.journey_id as "journeyId", d.due_at as "dueAt" from journey j
    join journey_date d on d.tenant_id = j.tenant_id and d.journey_no = j.journey_no and d.contact_id = ${contactId}
    where j.tenant_id = ${tenantId} order by j.journey_no`);
}

/** Open runs in which a contact waits to enter. */
export function selectRunsOf(
  db: Runner,
  tenantId: number,
  contactId: string,
): Promise<{ journeyId: string; runId: string; runAt: string }[]> {
  return db.rows(sql<{ journeyId: string; runId: string; runAt: string }>`
    select j.journey_id as "journeyId", r.run_id as "runId", r.run_at as "runAt"
    from journey_run r join journey j on j.tenant_id = r.tenant_id and j.journey_no = r.journey_no
    where r.tenant_id = ${tenantId} and r.ended_at is null and exists (
      select from journey_run_chunk c
      where c.tenant_id = r.tenant_id and c.run_id = r.run_id and c.contact_ids @> array[${contactId}::uuid])
    order by r.run_id`);
}
