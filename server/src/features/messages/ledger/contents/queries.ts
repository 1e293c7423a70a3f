// What was sent, word for word, so that a message can be shown again.
import type { Runner } from '../../../../db/database.js';
import { bytes, sql } from '../../../../db/sql.js';
import type { Texts, Words } from '../../../emails/index.js';

/** What is needed to show a message again. */
interface Sent {
  address: string | null;
  contactId: string | null;
  subject: string | null;
  contentHash: string | null;
  words: Words | null;
}

export function findSent(db: Runner, tenantId: number, messageId: string): Promise<Sent | undefined> {
  return db.row(sql<Sent>`
    select address, contact_id as "contactId", subject, content_hash as "contentHash", words
    from message where tenant_id = ${tenantId} and message_id = ${messageId}`);
}

export function findContent(
  db: Runner,
  tenantId: number,
  hash: string,
): Promise<(Texts & { isTemplate: boolean }) | undefined> {
  return db.row(sql<Texts & { isTemplate: boolean }>`
    select subject, preheader, html, is_template as "isTemplate" from message_content
    where tenant_id = ${tenantId} and content_hash = ${bytes(hash)}`);
}

/**
 * Removes texts that were made for one person, after `days`, in small batches. There is one for each such message; an email's own text
 * is stored once for all. Returns how many.
 */
export function sweepContents(db: Runner, days: number, atMost: number): Promise<number> {
  return db.run(sql`
    /* all tenants */ with old as (
      select tenant_id, content_hash from message_content
      where not is_template and stored_at < now() - make_interval(days => ${days}) order by stored_at limit ${atMost}
    )
    delete from message_content c using old where c.tenant_id = old.tenant_id and c.content_hash = old.content_hash`);
}
