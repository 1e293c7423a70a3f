import type { IngestRefusal } from '@rapport/contract';
import type { Static } from 'typebox';
import { countSome, mostCounted, type Some } from '../../db/count-some.js';
import { counters, counterValue, intoCounters } from '../../db/counters.js';
import type { Database, Runner, Transaction } from '../../db/database.js';
import { type Page, type PageOf, paged } from '../../db/paged.js';
import { type Sql, sql } from '../../db/sql.js';
import type { Properties } from '../contacts/index.js';

/** What identify and group said about a user that is not known yet. */
export interface WaitingUser {
  userId: string;
  traits: Properties;
  orgIds: string[];
  firstAt: string;
}

export function selectWaiting(db: Runner, tenantId: number, userIds: readonly string[]): Promise<WaitingUser[]> {
  return db.rows(sql<WaitingUser>`
    select u.* from unnest(${userIds}::text[]) as w (user_id) cross join lateral (
      select user_id as "userId", traits, org_ids as "orgIds", first_at as "firstAt" from waiting_user
      where tenant_id = ${tenantId} and user_id = w.user_id limit 1
    ) u`);
}

export async function upsertWaiting(tx: Transaction, tenantId: number, users: readonly WaitingUser[]): Promise<void> {
  // An array of arrays must be square in PostgreSQL, so the organizations come as JSON.
  await tx.run(sql`
    insert into waiting_user (tenant_id, user_id, traits, org_ids, first_at)
    select ${tenantId}, user_id, traits::jsonb, array(select jsonb_array_elements_text(org_ids::jsonb)), first_at
    from unnest(${users.map((u) => u.userId)}::text[], ${users.map((u) => JSON.stringify(u.traits))}::text[],
      ${users.map((u) => JSON.stringify(u.orgIds))}::text[], ${users.map((u) => u.firstAt)}::timestamptz[])
      as u (user_id, traits, org_ids, first_at)
    order by user_id
    on conflict (tenant_id, user_id) do update set traits = excluded.traits, org_ids = excluded.org_ids`);
}

export async function deleteWaiting(tx: Transaction, tenantId: number, userIds: readonly string[]): Promise<void> {
  await tx.run(sql`delete from waiting_user where tenant_id = ${tenantId} and user_id = any(${userIds}::text[])`);
}

export type Refusal = Static<typeof IngestRefusal>;

// A misconfigured client fills the log with millions of rows: a count would read them all.
const counter = counters.ingestRefusals;

export async function insertRefusals(tx: Transaction, tenantId: number, refusals: readonly Refusal[]): Promise<void> {
  if (refusals.length === 0) return;
  await tx.run(sql`
    with counted as (
      ${intoCounters} values (${tenantId}, ${counter}, ${refusals.length})
    )
    insert into ingest_refusal (tenant_id, received_at, call, message_id, user_id, reason)
    select ${tenantId}, received_at, call, message_id, user_id, reason
    from unnest(${refusals.map((r) => r.receivedAt)}::timestamptz[], ${refusals.map((r) => r.call)}::text[],
      ${refusals.map((r) => r.messageId)}::text[], ${refusals.map((r) => r.userId)}::text[],
      ${refusals.map((r) => r.reason)}::text[]) with ordinality as r (received_at, call, message_id, user_id, reason, ord)
    order by ord`);
}

export type NumberedRefusal = Refusal & { refusalNo: number };

/** About a user, oldest first. */
export function selectRefusalsOf(
  db: Runner,
  tenantId: number,
  userId: string,
  after: number | undefined,
  limit: number,
): Promise<NumberedRefusal[]> {
  return db.rows(sql<NumberedRefusal>`
    select refusal_no as "refusalNo", received_at as "receivedAt", call, message_id as "messageId", user_id as "userId", reason
    from ingest_refusal where tenant_id = ${tenantId} and user_id = ${userId} and refusal_no > ${after ?? 0}
    order by refusal_no limit ${limit}`);
}

export function selectRefusals(db: Database, tenantId: number, page: PageOf): Promise<Page<Refusal>> {
  const total = counterValue(tenantId, counter);
  const rows = sql<Refusal>`
    select received_at as "receivedAt", call, message_id as "messageId", user_id as "userId", reason
    from ingest_refusal where tenant_id = ${tenantId}
    order by refusal_no desc limit ${page.limit} offset ${page.offset}`;
  return paged(db, tenantId, page, { total, rows });
}

/** Calls that were refused in the last day. The newest are looked at: their numbers are in the order of their times. */
export function countRefusedLately(db: Runner, tenantId: number): Promise<Some> {
  return countSome(
    db,
    sql`select received_at as at from (
        select received_at from ingest_refusal where tenant_id = ${tenantId} order by refusal_no desc limit ${mostCounted}
      ) newest where received_at > now() - interval '1 day'`,
  );
}

/** Removes entries that are too old, a few at a time. Returns how many. */
export function sweepRefusals(db: Runner, days: number, atMost: number): Promise<number> {
  return howMany(
    db,
    sql`
    /* all tenants */ with old as (
      select tenant_id, refusal_no from ingest_refusal where received_at < now() - make_interval(days => ${days})
      order by received_at limit ${atMost}
    ), gone as (
      delete from ingest_refusal r using old where r.tenant_id = old.tenant_id and r.refusal_no = old.refusal_no
      returning r.tenant_id
    ), counted as (${count(sql`gone`, -1)})
    select count(*) as n from gone`,
  );
}

/** Removes what waited for more than 30 days, a few at a time, and says so in the log. Returns how many. */
export function sweepWaiting(db: Runner, atMost: number): Promise<number> {
  return howMany(
    db,
    sql`
    /* all tenants */ with old as (
      select tenant_id, user_id from waiting_user where first_at < now() - interval '30 days'
      order by first_at limit ${atMost}
    ), gone as (
      delete from waiting_user w using old where w.tenant_id = old.tenant_id and w.user_id = old.user_id
      returning w.tenant_id, w.user_id, w.traits
    ), logged as (
      insert into ingest_refusal (tenant_id, received_at, call, user_id, reason)
      select tenant_id, now(), case when traits = '{}' then 'group' else 'identify' end, user_id,
        'No email came for this user within 30 days.' from gone
    ), counted as (${count(sql`gone`, 1)})
    select count(*) as n from gone`,
  );
}

/** What the log and the waiting list know about users. */
export async function forgetUsers(tx: Transaction, tenantId: number, userIds: readonly string[]): Promise<void> {
  await deleteWaiting(tx, tenantId, userIds);
  await tx.run(sql`
    with gone as (
      delete from ingest_refusal where tenant_id = ${tenantId} and user_id = any(${userIds}::text[]) returning tenant_id
    )
    ${count(sql`gone`, -1)}`);
}

function count(touched: Sql, sign: 1 | -1): Sql {
  return sql`
    ${intoCounters}
    select tenant_id, ${counter}, ${sign} * count(*) from ${touched} group by tenant_id order by tenant_id`;
}

async function howMany(db: Runner, sweep: Sql): Promise<number> {
  const row = await db.row(sweep as Sql<{ n: number }>);
  return row?.n ?? 0;
}
