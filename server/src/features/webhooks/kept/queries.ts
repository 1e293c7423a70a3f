// What is kept about calls: shown on request, exported and erased with a person, and swept when old.
import { counterOf, counters, counterValue, intoCounters } from '../../../db/counters.js';
import type { Database, Runner, Transaction } from '../../../db/database.js';
import { type Page, type PageOf, paged } from '../../../db/paged.js';
import { bytes, sql } from '../../../db/sql.js';
import type { DeliveryRow } from '../delivery/delivery.js';

const shown = sql`
  delivery_id as "deliveryId", type, state, attempts, created_at as "createdAt", last_tried_at as "lastTriedAt",
  case when state = 'waiting' and lease is null then due_at end as "nextAttemptAt", last_status as status, last_error as error`;

export function selectDeliveries(
  db: Database,
  tenantId: number,
  webhookId: string,
  page: PageOf,
): Promise<Page<DeliveryRow>> {
  const total = counterValue(tenantId, counters.webhookDeliveries(webhookId));
  const rows = sql<DeliveryRow>`
    select ${shown} from webhook_delivery where tenant_id = ${tenantId} and webhook_id = ${bytes(webhookId)}::bytea
    order by delivery_no desc limit ${page.limit} offset ${page.offset}`;
  return paged(db, tenantId, page, { total, rows });
}

export interface DeliveryOfContact extends DeliveryRow {
  deliveryNo: number;
  method: string;
  url: string;
  body: string;
}

/** Calls about a contact, oldest first. */
export function selectDeliveriesOf(
  db: Runner,
  tenantId: number,
  contactId: string,
  after: number | undefined,
  limit: number,
): Promise<DeliveryOfContact[]> {
  return db.rows(sql<DeliveryOfContact>`
    select delivery_no as "deliveryNo", ${shown}, method, url, body from webhook_delivery
    where tenant_id = ${tenantId} and contact_id = ${contactId}::uuid and delivery_no > ${after ?? 0}
    order by delivery_no limit ${limit}`);
}

/** Removes a person from past and waiting deliveries. The deliveries themselves stay. */
export async function eraseDeliveries(tx: Transaction, tenantId: number, contactId: string): Promise<void> {
  await tx.run(sql`
    with own as materialized (
      select delivery_id from webhook_delivery where tenant_id = ${tenantId} and contact_id = ${contactId}::uuid
      order by delivery_id for update
    )
    update webhook_delivery d set contact_id = null, body = '', headers = null, lease = null,
      state = case d.state when 'waiting' then 'dropped' else d.state end,
      last_error = case d.state when 'waiting' then 'The contact was erased.' else d.last_error end
    from own where d.tenant_id = ${tenantId} and d.delivery_id = own.delivery_id`);
}

/**
 * Removes old deliveries. One that still waits after two days belongs to a subscription that was never resumed; a journey's call never waits
 * that long.
 */
export async function sweepDeliveries(db: Runner, days: number, atMost: number): Promise<number> {
  const row = await db.row(sql<{ n: number }>`
    /* all tenants */ with old as (
      select tenant_id, delivery_id from webhook_delivery
      where created_at < now() - make_interval(days => ${days}) and (state <> 'waiting' or created_at < now() - interval '2 days')
      order by created_at limit ${atMost} for update skip locked
    ), gone as (
      delete from webhook_delivery d using old o where d.tenant_id = o.tenant_id and d.delivery_id = o.delivery_id
      returning d.tenant_id, d.webhook_id
    ), counted as (
      ${intoCounters}
      select tenant_id, ${counterOf.webhookDeliveries(sql`webhook_id`)}, -count(*) from gone
      where webhook_id is not null group by tenant_id, webhook_id
    )
    select count(*) as n from gone`);
  return row?.n ?? 0;
}

/** Removes what deleted subscriptions left behind. */
export async function sweepDeleted(db: Runner, atMost: number): Promise<number> {
  const row = await db.row(sql<{ n: number }>`
    /* all tenants */ with old as (
      select d.tenant_id, d.delivery_id from webhook w
      cross join lateral (
        select tenant_id, delivery_id from webhook_delivery
        where tenant_id = w.tenant_id and webhook_id = w.webhook_id limit ${atMost} for update skip locked
      ) d where w.deleted_at is not null limit ${atMost}
    ), gone as (
      delete from webhook_delivery d using old o where d.tenant_id = o.tenant_id and d.delivery_id = o.delivery_id
      returning d.delivery_id
    )
    select count(*) as n from gone`);
  return row?.n ?? 0;
}
