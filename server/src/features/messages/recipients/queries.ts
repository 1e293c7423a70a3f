// The people of an email. Each group is read from an index in its own order, so that a page costs the same however many others there are.
import type { DataValue, listRecipients, RecipientGroup } from '@rapport/contract';
import type { Runner } from '../../../db/database.js';
import { bytes, type Sql, sql } from '../../../db/sql.js';
import { keptReason } from '../../../mail/transport.js';
import { contactsFound, contactTable } from '../../contacts/index.js';

type RecipientRow = DataValue<typeof listRecipients>['recipients'][number];

/** The last one that was read: when it was, in the order of its group. */
export interface Place {
  at: string;
  messageId: string;
}

export interface RecipientsAsked {
  emailId: string;
  group: RecipientGroup | undefined;
  /** Part of a name or address. */
  search: string | undefined;
  after: Place | undefined;
  limit: number;
}

const hasLeft = sql`state in ('sent', 'delivered') and reason is distinct from ${keptReason}::text`;

interface Way {
  /** What they are sorted by. */
  by: Sql;
  where: Sql;
  /** One read of an index for each. As text, not as a value: the index has no others, which a plan for any value could not know. */
  states?: readonly Sql[];
}

function wayOf(group: RecipientGroup | undefined): Way {
  switch (group) {
    case undefined:
      return { by: sql`queued_at`, where: sql`true` };
    case 'received':
      return { by: sql`sent_at`, where: sql`sent_at is not null and ${hasLeft}` };
    case 'notOpened':
      return {
        by: sql`sent_at`,
        where: sql`sent_at is not null and ${hasLeft} and first_opened_at is null and first_clicked_at is null`,
      };
    case 'opened':
      return { by: sql`first_opened_at`, where: sql`first_opened_at is not null` };
    case 'clicked':
      return { by: sql`first_clicked_at`, where: sql`first_clicked_at is not null` };
    case 'bounced':
      return { by: sql`queued_at`, where: sql`true`, states: [sql`state = 'bounced'`] };
    case 'notSent':
      return {
        ...{ by: sql`queued_at`, where: sql`true` },
        states: [sql`state = 'failed'`, sql`state = 'skipped'`, sql`state = 'cancelled'`],
      };
    case 'waiting':
      return { by: sql`queued_at`, where: sql`true`, states: [sql`state = 'queued'`, sql`state = 'sending'`] };
  }
}

/** Newest first in the order of the group, and where each stands in it. */
export function selectRecipients(
  db: Runner,
  tenantId: number,
  asked: RecipientsAsked,
): Promise<(RecipientRow & { at: string })[]> {
  const { search } = asked;
  const found = search === undefined ? sql`` : sql`found as materialized (${contactsFound(tenantId, search)}),`;
  return db.rows(sql<RecipientRow & { at: string }>`
    with ${found} page as materialized (${pageOf(tenantId, asked)})
    select m.message_id as "messageId", case when m.is_broadcast then 'broadcast' else m.kind end as kind, m.state, m.reason,
      m.contact_id as "contactId", m.address as email, c.first_name as "firstName", c.last_name as "lastName", m.language,
      m.journey_id as "journeyId", m.queued_at as "queuedAt", m.sent_at as "sentAt", m.delivered_at as "deliveredAt",
      m.first_opened_at as "firstOpenedAt", m.first_clicked_at as "firstClickedAt", m.bounced_at as "bouncedAt", m.at
    from page m left join lateral (
      select properties ->> 'first_name' as first_name, properties ->> 'last_name' as last_name
      from ${contactTable} where tenant_id = ${tenantId} and contact_id = m.contact_id limit 1
    ) c on true
    order by m.at desc, m.message_id desc`);
}

function pageOf(tenantId: number, { emailId, group, search, after, limit }: RecipientsAsked): Sql {
  const { by, where, states } = wayOf(group);
  const ofContacts = search === undefined ? sql`` : sql`and contact_id in (select contact_id from found)`;
  const beyond = after ? sql`and (${by}, message_id) < (${after.at}::timestamptz, ${after.messageId}::uuid)` : sql``;
  const read = (state: Sql) => sql`
    select *, ${by} as at from message
    where tenant_id = ${tenantId} and email_id = ${bytes(emailId)}::bytea and kind <> 'test' and ${where} and ${state} ${ofContacts} ${beyond}
    order by ${by} desc, message_id desc limit ${limit}`;
  if (!states) return read(sql`true`);
  const each = states.map((state) => sql`(${read(state)})`);
  return sql`
    select * from (${each.reduce((all, one) => sql`${all} union all ${one}`)}) m order by at desc, message_id desc limit ${limit}`;
}
