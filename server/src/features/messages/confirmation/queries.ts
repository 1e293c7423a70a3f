import { counters, intoCounters } from '../../../db/counters.js';
import type { Transaction } from '../../../db/database.js';
import { bytes, sql } from '../../../db/sql.js';
import { contactTable } from '../../contacts/index.js';

/** A mail that asks a contact to confirm something. */
interface Confirmation {
  messageId: string;
  contactId: string;
  emailId: string;
  /** What templates see as `data`. */
  data: Readonly<Record<string, unknown>>;
}

/** Queues the mails. Their emails exist, or are built in; an erased contact gets none. */
export async function queueConfirmations(
  tx: Transaction,
  tenantId: number,
  asked: readonly Confirmation[],
): Promise<void> {
  if (asked.length === 0) return;
  await tx.run(sql`
    with queued as (
      insert into message (tenant_id, message_id, kind, contact_id, address, email_id, words)
      select ${tenantId}, w.message_id, 'transactional', c.contact_id, c.email, w.email_id, jsonb_build_object('data', w.data::jsonb)
      from unnest(${asked.map((a) => a.messageId)}::uuid[], ${asked.map((a) => a.contactId)}::uuid[],
        ${asked.map((a) => bytes(a.emailId))}::bytea[], ${asked.map((a) => JSON.stringify(a.data))}::text[])
        as w (message_id, contact_id, email_id, data)
      cross join lateral (
        select contact_id, email from ${contactTable} where tenant_id = ${tenantId} and contact_id = w.contact_id limit 1 for key share
      ) c
      returning 1
    )
    ${intoCounters} select ${tenantId}, ${counters.messages}, count(*) from queued having count(*) > 0`);
}
