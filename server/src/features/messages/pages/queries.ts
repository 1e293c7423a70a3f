// What the pages for people show about a message: its recipient and their choices.
import type { TopicState } from '@rapport/contract';
import type { Runner } from '../../../db/database.js';
import { sql } from '../../../db/sql.js';
import { contactTopicsSql } from '../../consent/index.js';
import { emailTable } from '../../emails/index.js';
import { type Branding, brandingOf } from '../../tenants/index.js';
import { suppressionReason } from '../suppressions/queries.js';
import type { Preferences } from '../tracking/needs.js';

interface SubscriptionRow {
  /** Null once the person is erased. */
  email: string | null;
  isUnsubscribed: boolean;
  /** The topic that the message was sent with, if it and the contact still exist. */
  topicId: string | null;
  topicName: string | null;
  topicState: TopicState | null;
  branding: Branding | null;
}

/**
 * The topic that a message left with. It is stored with the outcome of the attempt, and people may be faster than that, or the sender may have
 * been killed: then the email knows it.
 */
const topicLeftWith = sql`coalesce(m.topic_id, case when m.first_tried_at is null then (
    select e.topic_id from ${emailTable} e where e.tenant_id = m.tenant_id and e.email_id = m.email_id) end)`;

export function findSubscription(
  db: Runner,
  tenantId: number,
  messageId: string,
): Promise<SubscriptionRow | undefined> {
  return db.row(sql<SubscriptionRow>`
    select m.address as email, ${suppressionReason(tenantId, sql`m.address`)} is not distinct from 'unsubscribed' as "isUnsubscribed",
      t.topic_id as "topicId", t.name as "topicName", t.state as "topicState", ${brandingOf(tenantId)} as branding
    from message m left join lateral (
      select * from (${contactTopicsSql(tenantId, sql`m.contact_id`)}) t where t.topic_id = ${topicLeftWith}
    ) t on m.contact_id is not null
    where m.tenant_id = ${tenantId} and m.message_id = ${messageId}`);
}

/** Private topics are shown only to people who are subscribed to them. */
export async function findPreferences(
  db: Runner,
  tenantId: number,
  messageId: string,
): Promise<Preferences | undefined> {
  const row = await db.row(sql<Preferences & { email: string | null }>`
    select m.address as email, ${suppressionReason(tenantId, sql`m.address`)} is not distinct from 'unsubscribed' as "isUnsubscribed",
      case when m.contact_id is null then '[]'::json else (
        select coalesce(json_agg(json_build_object('topicId', encode(t.topic_id, 'hex'), 'name', t.name, 'description', t.description,
          'isSubscribed', t.state = 'subscribed') order by t.name_folded), '[]'::json)
        from (${contactTopicsSql(tenantId, sql`m.contact_id`)}) t where t.visibility = 'public' or t.state = 'subscribed'
      ) end as topics, ${brandingOf(tenantId)} as branding
    from message m where m.tenant_id = ${tenantId} and m.message_id = ${messageId}`);
  return row?.email ? row : undefined;
}

export async function findMessageContact(
  db: Runner,
  tenantId: number,
  messageId: string,
): Promise<string | null | undefined> {
  const row = await db.row(sql<{ contactId: string | null }>`
    select contact_id as "contactId" from message where tenant_id = ${tenantId} and message_id = ${messageId}`);
  return row?.contactId;
}
