import type { ConsentSource, TopicState } from '@rapport/contract';
import type { Runner } from '../../../db/database.js';
import { bytes, sql } from '../../../db/sql.js';
import type { Window } from '../../../db/tallies.js';
import { contactTable } from '../../contacts/index.js';
import type { Pair } from '../states/queries.js';

/** What a contact said of a topic, and how that came about. */
export interface ConsentEvidence extends Pair {
  tenantId: number;
  email: string;
  topicKey: string;
  topicName: string;
  state: TopicState;
  since: string;
  source: ConsentSource;
  formId: string | null;
  text: string | null;
  /** Of the last entry of the log: of a confirmation when the form was sent. */
  saidAt: string | null;
  accountId: number | null;
}

/** Of one tenant or of all, in the order of the key, after one. */
export function selectEvidence(
  db: Runner,
  tenantId: number | undefined,
  after: ConsentEvidence | undefined,
  limit: number,
): Promise<ConsentEvidence[]> {
  const only = tenantId === undefined ? sql`` : sql`and s.tenant_id = ${tenantId}`;
  const from = after
    ? sql`and (s.tenant_id, s.contact_id, s.topic_id) > (${after.tenantId}::bigint, ${after.contactId}::uuid, ${bytes(after.topicId)}::bytea)`
    : sql``;
  return db.rows(sql<ConsentEvidence>`
    /* all tenants */ select s.tenant_id as "tenantId", s.contact_id as "contactId", s.topic_id as "topicId", c.email, t.key as "topicKey",
      t.name as "topicName", s.state, s.since, s.source, s.form_id as "formId", l.text, l.at as "saidAt", l.account_id as "accountId"
    from contact_topic s
    join topic t on t.tenant_id = s.tenant_id and t.topic_id = s.topic_id and t.deleted_at is null
    join ${contactTable} c on c.tenant_id = s.tenant_id and c.contact_id = s.contact_id
    left join lateral (
      select at, text, account_id from consent_log
      where tenant_id = s.tenant_id and contact_id = s.contact_id and topic_id = s.topic_id order by log_no desc limit 1
    ) l on true
    where true ${only} ${from} order by s.tenant_id, s.contact_id, s.topic_id limit ${limit}`);
}

/** How many changes of a topic the log has, by state and by hour or day. */
export interface ConsentChanges {
  since: string;
  state: TopicState;
  n: number;
}

export function countChanges(
  db: Runner,
  tenantId: number,
  topicId: string,
  { from, to }: Window,
  grain: 'hour' | 'day',
): Promise<ConsentChanges[]> {
  return db.rows(sql<ConsentChanges>`
    select date_trunc(${grain}, at, 'UTC') as since, state, count(*) as n from consent_log
    where tenant_id = ${tenantId} and topic_id = ${bytes(topicId)}
      and at >= coalesce(${from}::timestamptz, '-infinity') and at <= coalesce(${to}::timestamptz, 'infinity')
    group by 1, 2 order by 1, 2`);
}
