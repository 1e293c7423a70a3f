import { counters, intoCounters } from '../../../db/counters.js';
import type { Transaction } from '../../../db/database.js';
import { sql } from '../../../db/sql.js';
import type { CountedMessage } from '../figures/contributions.js';
import { countedColumns, countedOfMessage } from '../figures/feed/queries.js';

export interface NewPast {
  messageId: string;
  /** A sent message of the same email, to copy from. */
  like: string;
  contactId: string;
  address: string;
  subject: string;
  sentAt: string;
}

type PastRow = CountedMessage & { messageId: string };

/** Copies the content of the message that each is `like`, unless that was made for one person. Those with no such message are left out. */
export function insertPast(tx: Transaction, tenantId: number, messages: readonly NewPast[]): Promise<PastRow[]> {
  const of = <T>(value: (message: NewPast) => T) => messages.map(value);
  return tx.rows(sql<PastRow>`
    with stored as (
      insert into message as m (tenant_id, message_id, kind, state, contact_id, address, email_id, subject, version, language, queued_at, due_at,
        sent_at, sender_domain, content_hash, links, attempts, first_tried_at, domain)
      select ${tenantId}, p.message_id, 'direct', 'sent', p.contact_id, p.address, l.email_id, p.subject, 'default', l.language, p.at, p.at,
        p.at, l.sender_domain, case when l.version = 'default' then l.content_hash end, l.links, 1, p.at, lower(split_part(p.address, '@', 2))
      from unnest(${of((m) => m.messageId)}::uuid[], ${of((m) => m.like)}::uuid[], ${of((m) => m.contactId)}::uuid[],
        ${of((m) => m.address)}::text[], ${of((m) => m.subject)}::text[], ${of((m) => m.sentAt)}::timestamptz[])
        as p (message_id, like_id, contact_id, address, subject, at)
      join message l on l.tenant_id = ${tenantId} and l.message_id = p.like_id
      returning ${countedOfMessage}
    ), counted as (
      ${intoCounters}
      select ${tenantId}, ${counters.messages}, count(*) from stored having count(*) > 0
    ), tried as (
      insert into message_attempt (tenant_id, message_id, at, reply, outcome)
      select tenant_id, message_id, sent_at, '250 OK', 'sent' from stored
    )
    select message_id as "messageId", ${countedColumns} from stored`);
}
