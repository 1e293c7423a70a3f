// The secrets that sign calls of a subscription: the one of now, and those before it for a day.
import type { Runner, Transaction } from '../../../db/database.js';
import { bytes, sql } from '../../../db/sql.js';

/** Of `webhook w`: whether an earlier secret may still sign, so that most calls need not look for one. */
export const isRotated = sql`coalesce(w.rotated_at > now() - interval '24 hours', false)`;

export interface SecretRow {
  url: string;
  /** Hex. */
  sealed: string;
  isRotated: boolean;
}

/** @param mode `lock` keeps others from changing it until the end of the transaction. */
export function findSecret(
  db: Runner,
  tenantId: number,
  webhookId: string,
  mode: 'read' | 'lock' = 'read',
): Promise<SecretRow | undefined> {
  const lock = mode === 'lock' ? sql`for update` : sql``;
  return db.row(sql<SecretRow>`
    select w.url, w.sealed_secret as sealed, ${isRotated} as "isRotated" from webhook w
    where w.tenant_id = ${tenantId} and w.webhook_id = ${bytes(webhookId)} and w.deleted_at is null ${lock}`);
}

interface PastRow {
  secretId: string;
  /** Hex. */
  sealed: string;
}

// A receiver checks every signature: more than these would only make the header long.
const mostPast = 4;

export function selectPastSecrets(db: Runner, tenantId: number, webhookId: string): Promise<PastRow[]> {
  return db.rows(sql<PastRow>`
    select secret_id as "secretId", sealed from webhook_past_secret
    where tenant_id = ${tenantId} and webhook_id = ${bytes(webhookId)} and expires_at > now()
    order by expires_at desc, secret_id desc limit ${mostPast}`);
}

/** It signs for a day more. */
export async function insertPastSecret(
  tx: Transaction,
  tenantId: number,
  webhookId: string,
  { secretId, sealed }: PastRow,
): Promise<void> {
  await tx.run(sql`
    insert into webhook_past_secret (tenant_id, webhook_id, secret_id, sealed, expires_at)
    values (${tenantId}, ${bytes(webhookId)}, ${bytes(secretId)}, ${bytes(sealed)}, now() + interval '24 hours')`);
}

/** Returns when. */
export async function updateSecret(
  tx: Transaction,
  tenantId: number,
  webhookId: string,
  sealed: string,
): Promise<string> {
  const row = await tx.row(sql<{ at: string }>`
    update webhook set sealed_secret = ${bytes(sealed)}, rotated_at = now()
    where tenant_id = ${tenantId} and webhook_id = ${bytes(webhookId)} returning rotated_at as at`);
  return (row as { at: string }).at;
}

export function sweepPastSecrets(db: Runner, atMost: number): Promise<number> {
  return db.run(sql`
    /* all tenants */ delete from webhook_past_secret s using (
      select tenant_id, webhook_id, secret_id from webhook_past_secret where expires_at < now() limit ${atMost}
    ) old where s.tenant_id = old.tenant_id and s.webhook_id = old.webhook_id and s.secret_id = old.secret_id`);
}
