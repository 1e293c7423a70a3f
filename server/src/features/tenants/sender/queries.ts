// The sender of new emails of a workspace.
import type { DataValue, getDefaultSender } from '@rapport/contract';
import type { Runner, Transaction } from '../../../db/database.js';
import { sql } from '../../../db/sql.js';

export type DefaultSender = DataValue<typeof getDefaultSender>;

export async function findDefaultSender(db: Runner, tenantId: number): Promise<DefaultSender> {
  const row = await db.row(sql<{ sender: DefaultSender | null }>`
    select default_sender as sender from tenant where tenant_id = ${tenantId}`);
  return row?.sender ?? { fromEmail: null, replyTo: null };
}

export async function updateDefaultSender(tx: Transaction, tenantId: number, sender: DefaultSender): Promise<void> {
  const isNone = sender.fromEmail === null && sender.replyTo === null;
  await tx.run(sql`
    update tenant set default_sender = ${isNone ? null : JSON.stringify(sender)}::jsonb where tenant_id = ${tenantId}`);
}
