// Whom a journey would reach: who comes into question, and what becomes of each.

import type { SuppressionReason } from '@rapport/contract';
import { counters, counterValue } from '../../../db/counters.js';
import type { Runner } from '../../../db/database.js';
import { type Sql, sql } from '../../../db/sql.js';
import { isSubscribedToAny } from '../../consent/index.js';
import { contactTable } from '../../contacts/index.js';
import { bucketSql } from '../../filter-language/index.js';
import { suppressionReason } from '../../messages/index.js';
import type { Reentry } from '../definition/definition.js';

/** Contacts, as a query with a column contact_id. */
export type Source = Sql;

export interface ReachMoment {
  /** With microseconds: what was just written has happened. */
  exact: string;
  /** Thirty days before. */
  since: string;
  contacts: number;
}

export async function readReachMoment(db: Runner, tenantId: number): Promise<ReachMoment> {
  const row = await db.row(sql<ReachMoment>`
    select t.now::text as exact, (t.now - interval '30 days')::text as since,
      ${counterValue(tenantId, counters.contacts)} as contacts
    from (select clock_timestamp() as now) t`);
  return row as ReachMoment;
}

/** How many a source has; with `atMost`, no more are counted. */
export async function countSource(db: Runner, source: Source, atMost?: number): Promise<number> {
  const some = atMost === undefined ? source : sql`${source} limit ${atMost}`;
  const row = await db.row(sql<{ n: number }>`select count(*) as n from (${some}) s`);
  return row?.n ?? 0;
}

export function idsSql(contactIds: readonly string[]): Source {
  return sql`select id as contact_id from unnest(${contactIds}::uuid[]) as w (id)`;
}

/** The parts of a journey that decide about a candidate. */
interface Terms {
  journeyNo: number;
  journeyId: string;
  reentry: Reentry;
  holdout: number;
  /** Of the emails that it sends. Empty where some mail passes over topics. */
  topicIds: readonly string[];
}

/** Why somebody is left out; `none` for those who are not. */
export type Fate = 'reentry' | 'holdout' | SuppressionReason | 'topic' | 'none';

/** By what becomes of them: the first that holds. One lookup a contact for each, whatever the planner knows. */
export async function countFates(
  db: Runner,
  tenantId: number,
  source: Source,
  terms: Terms,
  now: string,
): Promise<ReadonlyMap<Fate, number>> {
  const holdout =
    terms.holdout === 0
      ? sql`false`
      : sql`${bucketSql(terms.journeyId, 100, sql`c.contact_id`)} < ${terms.holdout}::integer`;
  const { topicIds } = terms;
  const isRefused =
    topicIds.length === 0 ? sql`false` : sql`not ${isSubscribedToAny(tenantId, sql`c.contact_id`, topicIds)}`;
  const rows = await db.rows(sql<{ fate: Fate; n: number }>`
    select f.fate, count(*) as n from (${source}) s cross join lateral (
      select contact_id, email from ${contactTable} where tenant_id = ${tenantId} and contact_id = s.contact_id limit 1
    ) c cross join lateral (
      select case when ${refusedSql(tenantId, terms, now)} then 'reentry' when ${holdout} then 'holdout'
        else coalesce(${suppressionReason(tenantId, sql`c.email`)}, case when ${isRefused} then 'topic' end, 'none') end as fate
    ) f group by f.fate`);
  return new Map(rows.map(({ fate, n }) => [fate, n]));
}

/** As mayEnter() decides. */
function refusedSql(tenantId: number, { journeyNo, reentry }: Terms, now: string): Sql {
  if (reentry === 'always') return sql`false`;
  const own = sql`e.tenant_id = ${tenantId} and e.contact_id = c.contact_id and e.journey_no = ${journeyNo}`;
  if (reentry === 'never') return sql`exists (select from enrolment e where ${own})`;
  if (reentry === 'afterExit') return sql`exists (select from enrolment e where ${own} and e.state = 'active')`;
  const after = sql`${now}::timestamptz - ${reentry.after.ms}::float8 * interval '1 millisecond'`;
  return sql`exists (select from enrolment e where ${own} and e.entered_at > ${after})`;
}
