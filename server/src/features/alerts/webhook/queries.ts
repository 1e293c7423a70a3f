// The webhook that a workspace's alerts go to: one, or none.
import type { DataValue, getAlertWebhook } from '@rapport/contract';
import type { Runner, Transaction } from '../../../db/database.js';
import { bytes, sql } from '../../../db/sql.js';
import type { PostTried } from '../../webhooks/index.js';

export type WebhookRow = DataValue<typeof getAlertWebhook>;

export function findWebhook(db: Runner, tenantId: number): Promise<WebhookRow | undefined> {
  return db.row(sql<WebhookRow>`
    select host, ending, changed_at as "changedAt", last_delivered_at as "lastDeliveredAt", last_failed_at as "lastFailedAt",
      last_status as "lastStatus", last_error as "lastError", is_given_up as "isGivenUp"
    from alert_webhook where tenant_id = ${tenantId}`);
}

/** @param mode `keep`: it is not removed until the transaction ends. */
export async function findAddressId(
  db: Runner,
  tenantId: number,
  mode: 'read' | 'keep' | 'change' = 'read',
): Promise<string | undefined> {
  const lock = { read: sql``, keep: sql`for key share`, change: sql`for update` }[mode];
  const row = await db.row(sql<{ id: string }>`
    select header_id as id from alert_webhook where tenant_id = ${tenantId} ${lock}`);
  return row?.id;
}

interface Shown {
  host: string;
  ending: string;
}

/** Returns whether there was none. */
export async function insertWebhook(
  tx: Transaction,
  tenantId: number,
  addressId: string,
  { host, ending }: Shown,
): Promise<boolean> {
  const made = await tx.run(sql`
    insert into alert_webhook (tenant_id, header_id, host, ending, changed_at)
    values (${tenantId}, ${bytes(addressId)}, ${host}, ${ending}, now()) on conflict do nothing`);
  return made === 1;
}

/** What became of messages to the address before says nothing about this one. */
export async function updateWebhook(tx: Transaction, tenantId: number, { host, ending }: Shown): Promise<void> {
  await tx.run(sql`
    update alert_webhook set host = ${host}, ending = ${ending}, changed_at = now(), last_delivered_at = null, last_failed_at = null,
      last_status = null, last_error = null, is_given_up = false
    where tenant_id = ${tenantId}`);
}

export async function deleteWebhook(tx: Transaction, tenantId: number): Promise<boolean> {
  return (await tx.run(sql`delete from alert_webhook where tenant_id = ${tenantId}`)) === 1;
}

/** An attempt that began before the address was changed says nothing about the new one, but nobody can tell: the next one corrects it. */
export async function noteTried(
  tx: Transaction,
  tenantId: number,
  { at, what, status, error }: Omit<PostTried, 'lane'>,
): Promise<void> {
  if (what === 'delivered')
    await tx.run(sql`
      update alert_webhook set last_delivered_at = ${at}::timestamptz, last_failed_at = null, last_status = null, last_error = null,
        is_given_up = false
      where tenant_id = ${tenantId}`);
  else
    await tx.run(sql`
      update alert_webhook set last_failed_at = ${at}::timestamptz, last_status = ${status}::integer, last_error = ${error}::text,
        is_given_up = ${what === 'failed'}
      where tenant_id = ${tenantId}`);
}
