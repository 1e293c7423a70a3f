import type { DataValue, getWebhook, WebhookEvent } from '@rapport/contract';
import { countSome, type Some } from '../../db/count-some.js';
import { counterOf, counters, counterValue, forgetCounters, intoCounters } from '../../db/counters.js';
import type { Database, Runner, Transaction } from '../../db/database.js';
import { type Page, type PageOf, paged } from '../../db/paged.js';
import { bytes, sql } from '../../db/sql.js';
import type { Drawer } from '../sending/index.js';

export type WebhookRow = DataValue<typeof getWebhook>;

const columns = sql`
  w.webhook_id as "webhookId", w.url, w.events, w.state, w.last_error as reason, w.failing_since as "failingSince", w.created_at as "createdAt",
  ${counterValue(sql`w.tenant_id`, counterOf.webhookDropped(sql`w.webhook_id`))} as dropped`;

interface NewWebhookRow {
  webhookId: string;
  url: string;
  events: readonly WebhookEvent[];
  /** Hex. */
  sealed: string;
  accountId: number;
}

/** Returns nothing if the tenant already has the maximum. */
export function insertWebhook(
  db: Runner,
  tenantId: number,
  { webhookId, url, events, sealed, accountId }: NewWebhookRow,
  atMost: number,
): Promise<WebhookRow | undefined> {
  return db.row(sql<WebhookRow>`
    with w as (
      insert into webhook (tenant_id, webhook_id, url, events, sealed_secret, created_by)
      select ${tenantId}::bigint, ${bytes(webhookId)}::bytea, ${url}, ${events}::text[], ${bytes(sealed)}::bytea, ${accountId}::bigint
      where (select count(*) from webhook where tenant_id = ${tenantId} and deleted_at is null) < ${atMost}
      returning *
    )
    select ${columns} from w`);
}

export function findWebhook(db: Runner, tenantId: number, webhookId: string): Promise<WebhookRow | undefined> {
  return db.row(sql<WebhookRow>`
    select ${columns} from webhook w
    where w.tenant_id = ${tenantId} and w.webhook_id = ${bytes(webhookId)} and w.deleted_at is null`);
}

export function selectWebhooks(db: Database, tenantId: number, page: PageOf): Promise<Page<WebhookRow>> {
  const own = sql`w.tenant_id = ${tenantId} and w.deleted_at is null`;
  const total = sql`(select count(*) from webhook w where ${own})`;
  const rows = sql<WebhookRow>`
    select ${columns} from webhook w where ${own}
    order by w.created_at desc, w.webhook_id desc limit ${page.limit} offset ${page.offset}`;
  return paged(db, tenantId, page, { total, rows });
}

export async function deleteWebhook(db: Runner, tenantId: number, webhookId: string): Promise<boolean> {
  const deleted = await db.run(sql`
    update webhook set deleted_at = now() where tenant_id = ${tenantId} and webhook_id = ${bytes(webhookId)} and deleted_at is null`);
  return deleted === 1;
}

/** Long after the last transaction that might have queued anything for it. Its deliveries have been deleted by then. */
export async function sweepWebhooks(db: Runner, atMost: number): Promise<number> {
  const row = await db.row(sql<{ n: number }>`
    /* all tenants */ with gone as (
      delete from webhook w using (
        select tenant_id, webhook_id from webhook w where deleted_at < now() - interval '1 hour' and not exists (
          select from webhook_delivery d where d.tenant_id = w.tenant_id and d.webhook_id = w.webhook_id
        ) limit ${atMost}
      ) old where w.tenant_id = old.tenant_id and w.webhook_id = old.webhook_id
      returning w.tenant_id, w.webhook_id
    ), counted as (
      ${forgetCounters(
        sql`gone`,
        counterOf.webhookDeliveries(sql`gone.webhook_id`),
        counterOf.webhookDropped(sql`gone.webhook_id`),
      )}
    )
    select count(*) as n from gone`);
  return row?.n ?? 0;
}

// Deliveries that a resumed subscription tries at once; the others have their own times, within the hour.
const resumedAtOnce = 10_000;

/** Makes one that is `from` this state active. Resets the counters: earlier attempts are forgotten. */
export async function resumeWebhook(
  tx: Transaction,
  tenantId: number,
  webhookId: string,
  from: 'failing' | 'disabled',
): Promise<boolean> {
  const resumed = await tx.run(sql`
    update webhook set state = 'active', failing_since = null, last_error = null, resumed_at = now()
    where tenant_id = ${tenantId} and webhook_id = ${bytes(webhookId)} and deleted_at is null and state = ${from}`);
  if (resumed === 0) return false;
  await tx.run(sql`
    with own as (
      select delivery_id from webhook_delivery
      where tenant_id = ${tenantId} and webhook_id = ${bytes(webhookId)}::bytea and state = 'waiting' and lease is null and due_at > now()
      order by delivery_no limit ${resumedAtOnce} for update skip locked
    )
    update webhook_delivery d set due_at = now() from own where d.tenant_id = ${tenantId} and d.delivery_id = own.delivery_id`);
  return true;
}

/** Nothing is sent to it any more, nor kept for it. */
export async function disableWebhook(tx: Transaction, tenantId: number, webhookId: string): Promise<void> {
  await tx.run(sql`
    update webhook set state = 'disabled', failing_since = null, last_error = null
    where tenant_id = ${tenantId} and webhook_id = ${bytes(webhookId)} and deleted_at is null`);
}

/** Returns whether it is there. */
export async function updateWebhook(
  tx: Transaction,
  tenantId: number,
  webhookId: string,
  { url, events }: { url?: string | undefined; events?: readonly WebhookEvent[] | undefined },
): Promise<boolean> {
  const updated = await tx.run(sql`
    update webhook set url = coalesce(${url ?? null}::text, url), events = coalesce(${events ?? null}::text[], events)
    where tenant_id = ${tenantId} and webhook_id = ${bytes(webhookId)} and deleted_at is null`);
  return updated === 1;
}

interface Broken {
  tenantId: number;
  webhookId: string;
  reason: string;
}

/** Returns those that were active until now. */
export function pauseWebhooks(tx: Transaction, broken: readonly Broken[]): Promise<Broken[]> {
  return tx.rows(sql<Broken>`
    with b as (
      select distinct on (1, 2) * from unnest(${broken.map((b) => b.tenantId)}::bigint[], ${broken.map((b) => bytes(b.webhookId))}::bytea[],
        ${broken.map((b) => b.reason)}::text[]) as b (tenant_id, webhook_id, reason) order by 1, 2
    )
    update webhook w set state = 'failing', failing_since = now(), last_error = b.reason from b
    where w.tenant_id = b.tenant_id and w.webhook_id = b.webhook_id and w.state = 'active'
    returning w.tenant_id as "tenantId", w.webhook_id as "webhookId", w.last_error as reason`);
}

/** A subscription that wants to be told. */
export interface Subscriber {
  webhookId: string;
  url: string;
  events: WebhookEvent[];
  /** How many more it may keep; null: no limit. */
  room: number | null;
}

// How many deliveries a failing subscription keeps.
const mostKept = 10_000;

export function selectSubscribers(db: Runner, tenantId: number, types: readonly WebhookEvent[]): Promise<Subscriber[]> {
  return db.rows(sql<Subscriber>`
    select webhook_id as "webhookId", url, events, case when state = 'failing' then ${mostKept} - (
      select count(*) from (select from webhook_delivery d
        where d.tenant_id = w.tenant_id and d.webhook_id = w.webhook_id and d.state = 'waiting' limit ${mostKept}) kept) end as room
    from webhook w
    where tenant_id = ${tenantId} and deleted_at is null and state <> 'disabled' and events && ${types}::text[]
    order by webhook_id`);
}

export async function countDropped(
  db: Runner,
  tenantId: number,
  dropped: readonly { webhookId: string; count: number }[],
): Promise<void> {
  await db.run(sql`
    ${intoCounters}
    select ${tenantId}::bigint, * from unnest(${dropped.map((d) => counters.webhookDropped(d.webhookId))}::text[],
      ${dropped.map((d) => d.count)}::integer[])`);
}

export async function countFailing(db: Runner): Promise<number> {
  const row = await db.row(sql<{ n: number }>`
    /* all tenants */ select count(*) as n from webhook where state = 'failing' and deleted_at is null`);
  return row?.n ?? 0;
}

/** Subscriptions of a tenant that no longer receive anything. */
export function countFailingOf(db: Runner, tenantId: number): Promise<Some> {
  return countSome(
    db,
    sql`select failing_since as at from webhook where tenant_id = ${tenantId} and state = 'failing' and deleted_at is null`,
  );
}

interface KeyRow {
  keyId: string;
  /** Hex. */
  sealed: string;
}

// A receiver checks every signature: more than these would only make the header long.
const mostKeys = 5;

/** Those that sign now, the newest first. */
export function selectKeys(db: Runner, tenantId: number): Promise<KeyRow[]> {
  return db.rows(sql<KeyRow>`
    select key_id as "keyId", sealed from webhook_key
    where tenant_id = ${tenantId} and (expires_at is null or expires_at > now())
    order by created_at desc, key_id desc limit ${mostKeys}`);
}

/** Does nothing if there is one. If two are made at once, both sign. */
export async function insertFirstKey(db: Runner, tenantId: number, { keyId, sealed }: KeyRow): Promise<void> {
  await db.run(sql`
    insert into webhook_key (tenant_id, key_id, sealed) select ${tenantId}::bigint, ${bytes(keyId)}::bytea, ${bytes(sealed)}::bytea
    where not exists (select from webhook_key where tenant_id = ${tenantId} and (expires_at is null or expires_at > now()))`);
}

/** The previous ones expire in a day. Returns when it was made. */
export async function insertKey(tx: Transaction, tenantId: number, { keyId, sealed }: KeyRow): Promise<string> {
  await tx.run(sql`delete from webhook_key where tenant_id = ${tenantId} and expires_at < now()`);
  await tx.run(sql`
    update webhook_key set expires_at = now() + interval '24 hours' where tenant_id = ${tenantId} and expires_at is null`);
  const row = await tx.row(sql<{ createdAt: string }>`
    insert into webhook_key (tenant_id, key_id, sealed) values (${tenantId}, ${bytes(keyId)}, ${bytes(sealed)})
    returning created_at as "createdAt"`);
  return (row as { createdAt: string }).createdAt;
}

/** Where this feature keeps sealed secrets, so that all of them can move to a new key. */
export const webhookDrawers: readonly Drawer[] = [
  {
    ...{ kind: 'webhook-header', table: sql`webhook_header` },
    ...{ name: sql`encode(header_id, 'hex')`, column: sql`sealed` },
  },
  { kind: 'webhook', table: sql`webhook`, name: sql`encode(webhook_id, 'hex')`, column: sql`sealed_secret` },
  {
    ...{ kind: 'webhook-past', table: sql`webhook_past_secret` },
    ...{ name: sql`encode(secret_id, 'hex')`, column: sql`sealed` },
  },
  { kind: 'webhook-key', table: sql`webhook_key`, name: sql`encode(key_id, 'hex')`, column: sql`sealed` },
];
