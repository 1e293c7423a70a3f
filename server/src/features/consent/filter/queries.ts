// What filters, reach and simulations of journeys read of contacts and topics.
import type { TopicState } from '@rapport/contract';
import { bytes, type Sql, sql } from '../../../db/sql.js';
import type { Ground, Piece } from '../../filter-language/index.js';

/** For a simulation, which reads another in its place. */
export const contactTopicTable = sql`contact_topic`;

/** Whether a contact is so to a topic, for filters. */
export function testTopic(
  { topicId, state, isNot }: { topicId: string; state: TopicState; isNot: boolean },
  on: Ground,
): Piece {
  const said = sql`${on.join(sql`
    select s.contact_id, s.state from contact_topic s
    where s.tenant_id = ${on.tenant} and s.topic_id = ${bytes(topicId)}::bytea and ${on.scope(sql`s.contact_id`)}`)}.state`;
  const now = sql`coalesce(${said}, (
    select t.by_default from topic t where t.tenant_id = ${on.tenant} and t.topic_id = ${bytes(topicId)}::bytea))`;
  // No topic is pending by default, so contacts that never said anything need not be looked at.
  const isSo = sql`(${state === 'pending' ? said : now} = ${state}) is true`;
  return { holds: isNot ? sql`not (${isSo})` : sql`(${isSo})`, value: sql`to_jsonb(${now})` };
}

/** Contacts that got this state for a topic since then and still have it, as a query with a column contact_id. */
export function becameSql(
  tenantId: number,
  { topicId, state, since }: { topicId: string; state: TopicState; since: string },
): Sql {
  return sql`
    select contact_id from contact_topic
    where tenant_id = ${tenantId} and topic_id = ${bytes(topicId)} and state = ${state} and since >= ${since}::timestamptz`;
}

/** Whether a contact is subscribed to any of these topics, as an expression. */
export function isSubscribedToAny(tenantId: number, contactId: Sql, topicIds: readonly string[]): Sql {
  return sql`exists (
    select from topic t left join contact_topic s
      on s.tenant_id = t.tenant_id and s.contact_id = ${contactId} and s.topic_id = t.topic_id
    where t.tenant_id = ${tenantId} and t.topic_id = any(${topicIds.map(bytes)}::bytea[])
      and coalesce(s.state, t.by_default) = 'subscribed')`;
}
