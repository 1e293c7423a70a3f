import type { EmailActivity } from '@rapport/contract';
import type { Static } from 'typebox';
import { mostCounted, type Some } from '../../../db/count-some.js';
import { counterOf, counters, counterValue, intoCounters } from '../../../db/counters.js';
import type { Database, Runner, Transaction } from '../../../db/database.js';
import { type Page, type PageOf, paged } from '../../../db/paged.js';
import { bytes, sql } from '../../../db/sql.js';

type ActivityRow = Static<typeof EmailActivity>;
type ActivityOutcome = ActivityRow['outcome'];
const outcomes: readonly ActivityOutcome[] = ['stored', 'replaced', 'rejected', 'deleted'];

export interface Entry {
  assetId: string;
  email: string | null;
  outcome: ActivityOutcome;
  reason: string | null;
}

/** The counter behind a total. One per outcome, so that the filter needs no count. */
const ofActivity = counterOf.emailActivity(sql`email_id`, sql`outcome`);

export interface Rejections extends Some {
  /** The email of the newest one. */
  assetId: string | null;
}

/** Versions that were rejected in the last day. */
export async function countRejectedLately(db: Runner, tenantId: number): Promise<Rejections> {
  const lately = sql`tenant_id = ${tenantId} and outcome = 'rejected' and occurred_at > now() - interval '1 day'`;
  const row = await db.row(sql<Rejections>`
    select count(*) as count, min(at) as since, (array_agg(email_id order by at desc))[1] as "assetId" from (
      select occurred_at as at, email_id from email_activity where ${lately} order by occurred_at desc limit ${mostCounted}
    ) newest`);
  return row as Rejections;
}

/** Stores entries in their order. */
export async function insertActivity(db: Runner, tenantId: number, entries: readonly Entry[]): Promise<void> {
  if (entries.length === 0) return;
  await db.run(sql`
    with given as (
      select email_id, address, outcome, reason, ord from unnest(${entries.map((e) => bytes(e.assetId))}::bytea[],
        ${entries.map((e) => e.email)}::text[], ${entries.map((e) => e.outcome)}::text[], ${entries.map((e) => e.reason)}::text[])
        with ordinality as g (email_id, address, outcome, reason, ord)
    ), counted as (
      ${intoCounters}
      select ${tenantId}, ${ofActivity}, count(*) from given group by email_id, outcome
    )
    insert into email_activity (tenant_id, email_id, address, outcome, reason)
    select ${tenantId}, email_id, address, outcome, reason from given order by ord`);
}

/** Newest first. Reads the newest of each requested outcome: one of them may be rare among a million others. */
export function selectActivity(
  db: Database,
  tenantId: number,
  assetId: string,
  wanted: readonly ActivityOutcome[],
  { limit, offset }: PageOf,
): Promise<Page<ActivityRow>> {
  const own = sql`tenant_id = ${tenantId} and email_id = ${bytes(assetId)}`;
  const kinds = wanted.length === 0 ? outcomes : wanted;
  const names = [...new Set(kinds)].map((kind) => counters.emailActivity(assetId, kind));
  const total = counterValue(tenantId, names);
  const source =
    wanted.length === 0
      ? sql`email_activity where ${own}`
      : sql`(select distinct unnest(${wanted}::text[]) as kind) k cross join lateral (
          select * from email_activity where ${own} and outcome = k.kind order by activity_id desc limit ${limit + offset}
        ) a`;
  const rows = sql<ActivityRow>`
    select occurred_at as "occurredAt", address as email, outcome, reason from ${source}
    order by activity_id desc limit ${limit} offset ${offset}`;
  return paged(db, tenantId, { limit, offset, isSearch: wanted.length > 0 }, { total, rows });
}

/** Removes entries that are too old, a few at a time. Returns how many. */
export async function sweepActivity(db: Runner, days: number, atMost: number): Promise<number> {
  const row = await db.row(sql<{ n: number }>`
    /* all tenants */ with old as (
      select tenant_id, email_id, activity_id from email_activity
      where occurred_at < now() - make_interval(days => ${days}) order by occurred_at limit ${atMost}
    ), gone as (
      delete from email_activity a using old
      where a.tenant_id = old.tenant_id and a.email_id = old.email_id and a.activity_id = old.activity_id
      returning a.tenant_id, a.email_id, a.outcome
    ), counted as (
      ${intoCounters}
      select tenant_id, ${ofActivity}, -count(*) from gone group by tenant_id, email_id, outcome
      order by tenant_id, email_id, outcome
    )
    select count(*) as n from gone`);
  return row?.n ?? 0;
}

export async function forgetAddress(tx: Transaction, tenantId: number, email: string): Promise<void> {
  await tx.run(sql`update email_activity set address = null where tenant_id = ${tenantId} and address = ${email}`);
}

export interface ActivityOfAddress extends Pick<ActivityRow, 'occurredAt' | 'outcome' | 'reason'> {
  activityId: number;
  assetId: string;
}

/** Of one address, oldest first. */
export function selectActivityOf(
  db: Runner,
  tenantId: number,
  email: string,
  after: number | undefined,
  limit: number,
): Promise<ActivityOfAddress[]> {
  return db.rows(sql<ActivityOfAddress>`
    select activity_id as "activityId", email_id as "assetId", occurred_at as "occurredAt", outcome, reason from email_activity
    where tenant_id = ${tenantId} and address = ${email} and activity_id > ${after ?? 0} order by activity_id limit ${limit}`);
}
