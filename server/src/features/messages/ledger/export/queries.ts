import type { Runner } from '../../../../db/database.js';
import { sql } from '../../../../db/sql.js';
import { type AttemptRow, columns, type EventRow, type LedgerRow, shownAt, withoutNullLanguage } from '../queries.js';

/** Why a message belongs to a person: it was sent to the contact, or to the address before the contact existed, or was a test with their data. */
export const ways = ['contact', 'address', 'madeFor'] as const;
type Way = (typeof ways)[number];

export interface MessageOfPerson extends LedgerRow {
  words: Record<string, unknown> | null;
  /** From a version that was written for this person alone. */
  content: { subject: string; preheader: string | null; html: string } | null;
  /** All of them, oldest first. */
  attempts: AttemptRow[];
  events: EventRow[];
}

/** Each message once, newest first, with everything that happened to it. */
export async function selectMessagesOfPerson(
  db: Runner,
  tenantId: number,
  { id, email }: { id: string; email: string },
  way: Way,
  after: LedgerRow | undefined,
  limit: number,
): Promise<MessageOfPerson[]> {
  const own = {
    contact: sql`contact_id = ${id}::uuid`,
    address: sql`address = ${email} and contact_id is distinct from ${id}::uuid`,
    madeFor: sql`made_for = ${id}::uuid and contact_id is distinct from ${id}::uuid and address is distinct from ${email}`,
  }[way];
  const behind = after
    ? sql`and (queued_at, message_id) < (${after.queuedAt}::timestamptz, ${after.messageId}::uuid)`
    : sql``;
  const rows = await db.rows(sql<MessageOfPerson>`
    with own as materialized (
      select * from message where tenant_id = ${tenantId} and ${own} ${behind} order by queued_at desc, message_id desc limit ${limit}
    )
    select ${columns}, words, (
      select jsonb_build_object('subject', c.subject, 'preheader', c.preheader, 'html', c.html) from message_content c
      where c.tenant_id = ${tenantId} and c.content_hash = own.content_hash and own.version = 'personalized'
    ) as content, (
      select coalesce(jsonb_agg(jsonb_build_object('at', ${shownAt}, 'reply', reply, 'outcome', outcome) order by attempt_no), '[]')
      from message_attempt a where a.tenant_id = ${tenantId} and a.message_id = own.message_id
    ) as attempts, (
      select coalesce(jsonb_agg(jsonb_build_object(
        'at', ${shownAt}, 'what', what, 'detail', detail, 'isMachine', is_machine) order by event_no), '[]')
      from message_event e where e.tenant_id = ${tenantId} and e.message_id = own.message_id
    ) as events
    from own order by queued_at desc, message_id desc`);
  return rows.map(withoutNullLanguage);
}
