// The queue of calls. A row waits until `due_at`. Claiming a row moves that into the future, so a row held by a killed process becomes due again.
import { counterOf, intoCounters } from '../../../db/counters.js';
import type { Runner, Transaction } from '../../../db/database.js';
import { bytes, sql } from '../../../db/sql.js';
import type { Leased } from '../../../work/leases.js';
import type { Waiting } from '../../../work/queue.js';
import { isRotated } from '../secrets/queries.js';
import type { DeliveryOutcome, NewDelivery, Recorded } from './delivery.js';

// Seconds. Deliveries behind one in flight are woken as soon as it is done. If that was missed, because both happened at the same moment,
// they are checked again: soon while they are new, less often while a slow receiver keeps them waiting.
const behind = { least: 0.5, most: 5 };

/** @param deliveries in the order in which they happened. */
export async function insertDeliveries(
  tx: Transaction,
  tenantId: number,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  const of = <T>(value: (delivery: NewDelivery) => T) => deliveries.map(value);
  await tx.run(sql`
    with d as materialized (
      select * from unnest(${of((d) => d.deliveryId)}::uuid[], ${of((d) => (d.webhookId === null ? null : bytes(d.webhookId)))}::bytea[],
        ${of((d) => d.lane)}::text[], ${of((d) => d.call?.enrolmentId ?? null)}::uuid[], ${of((d) => d.call?.journeyNo ?? null)}::integer[],
        ${of((d) => d.call?.stepId ?? null)}::text[], ${of((d) => d.call?.visit ?? null)}::integer[], ${of((d) => d.contactId)}::uuid[],
        ${of((d) => d.type)}::text[], ${of((d) => d.method)}::text[], ${of((d) => d.url)}::text[],
        ${of((d) => (d.headers === null ? null : JSON.stringify(d.headers)))}::jsonb[], ${of((d) => d.body)}::text[],
        ${of((d) => d.timeoutMs)}::integer[])
      with ordinality d (delivery_id, webhook_id, lane, enrolment_id, journey_no, step_id, visit, contact_id, type, method, url, headers,
        body, timeout_ms, n)
    ), counted as (
      ${intoCounters}
      select ${tenantId}::bigint, ${counterOf.webhookDeliveries(sql`webhook_id`)}, count(*) from d where webhook_id is not null group by webhook_id
    )
    insert into webhook_delivery (tenant_id, delivery_id, webhook_id, lane, enrolment_id, journey_no, step_id, visit, contact_id, type,
      method, url, headers, body, timeout_ms, due_at)
    select ${tenantId}::bigint, delivery_id, webhook_id, lane, enrolment_id, journey_no, step_id, visit, contact_id, type, method, url, headers, body,
      -- One whose predecessor waits for its next attempt need not be looked at before. One whose predecessor is in flight is woken when
    -- that is done, but not if that happens before this commits: then nothing wakes it, and it must be due soon by itself.
      timeout_ms, greatest(now(), (
        select case when e.lease is null then e.due_at else now() + make_interval(secs => ${behind.least}) end from webhook_delivery e
        where e.tenant_id = ${tenantId} and e.webhook_id = d.webhook_id and e.contact_id = d.contact_id and e.state = 'waiting'
        order by e.delivery_no desc limit 1))
    from d order by n`);
}

/** A receiver with waiting deliveries. */
interface LaneHead {
  tenantId: number;
  lane: string;
  /** Milliseconds until it is due. */
  waitMs: number;
}

/** Hops from lane to lane through the index; lanes of failing or deleted subscriptions are left out. */
export function selectLanes(db: Runner): Promise<LaneHead[]> {
  const first = sql`order by tenant_id, lane, due_at, delivery_no limit 1`;
  const head = sql`select tenant_id, lane, due_at, delivery_no, webhook_id from webhook_delivery where state = 'waiting'`;
  return db.rows(sql<LaneHead>`
    /* all tenants */ with recursive head as (
      (${head} ${first})
      union all
      select next.* from head cross join lateral (${head} and (tenant_id, lane) > (head.tenant_id, head.lane) ${first}) next
    )
    select head.tenant_id as "tenantId", head.lane, ceil(extract(epoch from head.due_at - clock_timestamp()) * 1000)::float8 as "waitMs"
    from head left join webhook w on w.tenant_id = head.tenant_id and w.webhook_id = head.webhook_id
    where head.webhook_id is null or w.state = 'active' and w.deleted_at is null`);
}

/** A delivery that this process is to make. */
export interface Claimed {
  deliveryId: string;
  deliveryNo: number;
  webhookId: string | null;
  lane: string;
  contactId: string | null;
  type: string;
  method: string;
  url: string;
  headers: Record<string, string> | null;
  body: string;
  timeoutMs: number;
  attempts: number;
  /** When it was first tried; now, if not since its subscription was resumed. */
  firstTriedAt: string;
  /** The secret of its subscription, hex. */
  sealedSecret: string | null;
  /** Earlier secrets may still sign, too. */
  isRotated: boolean;
}

/**
 * Claims the deliveries that have waited longest in these lanes. One whose predecessor (same contact, same subscription) still waits and is
 * not claimed with it is put off instead, so that it does not block others.
 */
export async function claimDeliveries(
  db: Runner,
  tenantId: number,
  rooms: readonly { lane: string; room: number }[],
  { lease, seconds }: { lease: string; seconds: number },
): Promise<Claimed[]> {
  return db.rows(sql<Claimed>`
    with candidate as materialized (
      select d.* from unnest(${rooms.map((r) => r.lane)}::text[], ${rooms.map((r) => r.room)}::integer[]) as l (lane, room)
      cross join lateral (
        select delivery_id, delivery_no, webhook_id, contact_id from webhook_delivery
        where tenant_id = ${tenantId} and lane = l.lane and state = 'waiting' and due_at <= now()
        order by due_at, delivery_no limit l.room for update skip locked
      ) d
    ), blocked as materialized (
      select c.delivery_id from candidate c where c.webhook_id is not null and exists (
        select from webhook_delivery e
        where e.tenant_id = ${tenantId} and e.webhook_id = c.webhook_id and e.contact_id = c.contact_id and e.state = 'waiting'
          and e.delivery_no < c.delivery_no and not exists (select from candidate k where k.delivery_id = e.delivery_id))
    ), put_off as (
      update webhook_delivery d set due_at = now() + least(make_interval(secs => ${behind.most}),
        greatest(make_interval(secs => ${behind.least}), now() - created_at))
      where d.tenant_id = ${tenantId} and d.delivery_id = any(array(select delivery_id from blocked))
    ), claimed as (
      -- Its subscription may have another address by now.
      update webhook_delivery d set lease = ${lease}, due_at = now() + make_interval(secs => ${seconds}),
        url = coalesce((select url from webhook w where w.tenant_id = d.tenant_id and w.webhook_id = d.webhook_id), d.url)
      where d.tenant_id = ${tenantId}
        and d.delivery_id = any(array(select delivery_id from candidate except select delivery_id from blocked))
      returning d.*
    )
    select d.delivery_id as "deliveryId", d.delivery_no as "deliveryNo", d.webhook_id as "webhookId", d.lane, d.contact_id as "contactId",
      d.type, d.method, d.url, d.headers, d.body, d.timeout_ms as "timeoutMs", d.attempts,
      case when d.first_tried_at > coalesce(w.resumed_at, '-infinity') then d.first_tried_at else now() end as "firstTriedAt",
      w.sealed_secret as "sealedSecret", ${isRotated} as "isRotated"
    from claimed d left join webhook w on w.tenant_id = ${tenantId} and w.webhook_id = d.webhook_id
    order by d.delivery_no`);
}

/** Renews leases of this process. Returns which are still its own. */
export async function renewLeases(
  db: Runner,
  lease: string,
  seconds: number,
  leased: readonly Leased[],
): Promise<Set<string>> {
  const rows = await db.rows(sql<{ deliveryId: string }>`
    update webhook_delivery set due_at = now() + make_interval(secs => ${seconds})
    where tenant_id = any(${[...new Set(leased.map((l) => l.tenantId))]}::bigint[])
      and delivery_id = any(${leased.map(({ id }) => id)}::uuid[]) and lease = ${lease} and state = 'waiting'
    returning delivery_id as "deliveryId"`);
  return new Set(rows.map(({ deliveryId }) => deliveryId));
}

/** Puts back calls that were not tried. */
export async function releaseDeliveries(
  db: Runner,
  lease: string,
  tenantId: number,
  deliveryIds: readonly string[],
): Promise<void> {
  await db.run(sql`
    update webhook_delivery set lease = null, due_at = now()
    where tenant_id = ${tenantId} and delivery_id = any(${deliveryIds}::uuid[]) and lease = ${lease} and state = 'waiting'`);
}

// When one is done, this many behind it are woken at once; the others follow when these are done.
const woken = 50;

/**
 * Stores outcomes of deliveries, in one statement. A delivery that arrived counts even if another process has its lease by now. Any other
 * outcome counts only from the holder of the lease. Those behind one that is tried again wait as long as it does.
 */
export function recordOutcomes(
  tx: Transaction,
  lease: string,
  outcomes: readonly DeliveryOutcome[],
): Promise<Recorded[]> {
  const of = <T>(value: (outcome: DeliveryOutcome) => T) => outcomes.map(value);
  return tx.rows(sql<Recorded>`
    with d as materialized (
      select * from unnest(${of((o) => o.tenantId)}::bigint[], ${of((o) => o.deliveryId)}::uuid[], ${of((o) => o.what)}::text[],
        ${of((o) => o.at)}::timestamptz[], ${of((o) => o.dueAt)}::timestamptz[], ${of((o) => o.status)}::integer[],
        ${of((o) => o.error)}::text[])
        as d (tenant_id, delivery_id, what, at, due_at, status, error)
    ), locked as materialized (
      select d.* from (select * from d order by tenant_id, delivery_id) d
      cross join lateral (
        select from webhook_delivery w
        where w.tenant_id = d.tenant_id and w.delivery_id = d.delivery_id and w.state = 'waiting'
          and (w.lease = ${lease} or d.what = 'delivered')
        limit 1 for update
      ) w
    ), stored as (
      update webhook_delivery w set
        state = case d.what when 'later' then 'waiting' else d.what end,
        attempts = w.attempts + 1, first_tried_at = coalesce(w.first_tried_at, d.at), last_tried_at = d.at,
        last_status = d.status, last_error = d.error, due_at = coalesce(d.due_at, w.due_at), lease = null,
        body = case d.what when 'later' then w.body else '' end, headers = case d.what when 'later' then w.headers end
      from locked d where w.tenant_id = d.tenant_id and w.delivery_id = d.delivery_id
      returning w.tenant_id, w.delivery_id, w.delivery_no, w.webhook_id, w.lane, w.contact_id, w.enrolment_id, w.journey_no, w.visit, d.what, w.due_at
    ), put_off as (
      update webhook_delivery f set due_at = s.due_at, lease = null from stored s
      where s.what = 'later' and f.tenant_id = s.tenant_id and f.webhook_id = s.webhook_id and f.contact_id = s.contact_id
        and f.state = 'waiting' and f.delivery_no > s.delivery_no
    ), woken as (
      update webhook_delivery f set due_at = now() from (
        select n.tenant_id, n.delivery_id from stored s cross join lateral (
          select tenant_id, delivery_id from webhook_delivery n
          where n.tenant_id = s.tenant_id and n.webhook_id = s.webhook_id and n.contact_id = s.contact_id and n.state = 'waiting'
            and n.delivery_no > s.delivery_no and n.lease is null and n.due_at > now()
          order by n.delivery_no limit ${woken}
        ) n where s.what <> 'later'
      ) n where f.tenant_id = n.tenant_id and f.delivery_id = n.delivery_id
    )
    select tenant_id as "tenantId", delivery_id as "deliveryId", webhook_id as "webhookId", lane, contact_id as "contactId",
      enrolment_id as "enrolmentId", journey_no as "journeyNo", visit
    from stored`);
}

/** The calls that could be made now, by tenant. Those not due, or waiting for their subscription to be resumed, are not backlog. */
export function selectWaiting(db: Runner): Promise<Waiting[]> {
  return db.rows(sql<Waiting>`
    /* all tenants */ select d.tenant_id as "tenantId", 'webhook' as kind, count(*) as count, min(d.created_at) as since,
      (array_agg(d.attempts order by d.created_at))[1] as attempts, (array_agg(d.last_error order by d.created_at))[1] as "lastError",
      null as "dueAt"
    from webhook_delivery d left join webhook w on w.tenant_id = d.tenant_id and w.webhook_id = d.webhook_id
    where d.state = 'waiting' and d.due_at <= now() and (d.webhook_id is null or w.state = 'active' and w.deleted_at is null)
    group by d.tenant_id`);
}

/** Drops calls of enrolments that no longer wait for them. Calls in flight are not stopped. */
export async function dropCalls(tx: Transaction, tenantId: number, enrolmentIds: readonly string[]): Promise<void> {
  await tx.run(sql`
    with own as materialized (
      select delivery_id from webhook_delivery
      where tenant_id = ${tenantId} and enrolment_id = any(${enrolmentIds}::uuid[]) and state = 'waiting' order by delivery_id for update
    )
    update webhook_delivery d set state = 'dropped', body = '', headers = null, lease = null
    from own where d.tenant_id = ${tenantId} and d.delivery_id = own.delivery_id`);
}

/** Drops what waits for a receiver that is gone. */
export async function dropLane(tx: Transaction, tenantId: number, lane: string): Promise<void> {
  await tx.run(sql`
    with own as materialized (
      select delivery_id from webhook_delivery
      where tenant_id = ${tenantId} and lane = ${lane} and state = 'waiting' order by delivery_id for update
    )
    update webhook_delivery d set state = 'dropped', body = '', headers = null, lease = null
    from own where d.tenant_id = ${tenantId} and d.delivery_id = own.delivery_id`);
}

/** What waits for its next attempt is tried now. */
export async function hurryLane(tx: Transaction, tenantId: number, lane: string): Promise<void> {
  await tx.run(sql`
    with own as (
      select delivery_id from webhook_delivery
      where tenant_id = ${tenantId} and lane = ${lane} and state = 'waiting' and lease is null and due_at > now()
      order by due_at, delivery_no for update skip locked
    )
    update webhook_delivery d set due_at = now() from own where d.tenant_id = ${tenantId} and d.delivery_id = own.delivery_id`);
}
