// What contacts said of topics, the log of it, and what is kept of addresses that were erased.
import type { ConsentEntry, ConsentSource, ContactTopic, TopicStanding, TopicState } from '@rapport/contract';
import type { Static } from 'typebox';
import { counterOf, counters, intoCounters } from '../../../db/counters.js';
import type { Database, Runner, Transaction } from '../../../db/database.js';
import { type Page, type PageOf, paged } from '../../../db/paged.js';
import { bytes, type Sql, sql } from '../../../db/sql.js';
import { intoMarketing } from '../../events/index.js';
import type { Standing } from '../decide.js';

export type ContactTopicRow = Static<typeof ContactTopic>;
type LogRow = Static<typeof ConsentEntry>;

/** Every live topic and what a contact is to it, as a query: topic_id, name, name_folded, description, visibility, state, since, source. */
export function contactTopicsSql(tenantId: number, contactId: Sql): Sql {
  return sql`
    select t.topic_id, t.key, t.name, t.name_folded, t.description, t.visibility, coalesce(s.state, t.by_default) as state, s.since, s.source
    from topic t left join contact_topic s
      on s.tenant_id = t.tenant_id and s.contact_id = ${contactId} and s.topic_id = t.topic_id
    where t.tenant_id = ${tenantId} and t.deleted_at is null`;
}

/** Every live topic and what the contact is to it. */
export function selectContactTopics(
  db: Runner,
  tenantId: number,
  contactId: string,
  topicId?: string,
): Promise<ContactTopicRow[]> {
  const only = topicId === undefined ? sql`` : sql`where t.topic_id = ${bytes(topicId)}`;
  return db.rows(sql<ContactTopicRow>`
    select t.topic_id as "topicId", t.key, t.name, t.visibility, t.state, t.since, t.source
    from (${contactTopicsSql(tenantId, sql`${contactId}::uuid`)}) t ${only} order by t.name_folded`);
}

/** What a contact is to these topics, by topic. */
export async function selectTopicStandings(
  db: Runner,
  tenantId: number,
  contactId: string,
  topicIds: readonly string[],
): Promise<Map<string, TopicStanding>> {
  if (topicIds.length === 0) return new Map();
  const rows = await db.rows(sql<TopicStanding & { topicId: string }>`
    select t.topic_id as "topicId", t.name, t.state, t.since, t.source
    from (${contactTopicsSql(tenantId, sql`${contactId}::uuid`)}) t where t.topic_id = any(${topicIds.map(bytes)}::bytea[])`);
  return new Map(rows.map(({ topicId, ...standing }) => [topicId, standing]));
}

/** A contact and a topic. */
export interface Pair {
  readonly contactId: string;
  readonly topicId: string;
}

interface StandingRow extends Pair, Standing {}

/** Which of these contacts are subscribed to which topic, in their order. Without a contact, the topic's default applies. */
export async function areSubscribed(
  db: Runner,
  tenantId: number,
  pairs: readonly { contactId: string | null; topicId: string }[],
): Promise<boolean[]> {
  if (pairs.length === 0) return [];
  const rows = await db.rows(sql<{ isSubscribed: boolean }>`
    select coalesce(s.state, t.by_default) is not distinct from 'subscribed' as "isSubscribed"
    from unnest(${pairs.map((p) => p.contactId)}::uuid[], ${pairs.map((p) => bytes(p.topicId))}::bytea[]) with ordinality
      as w (contact_id, topic_id, ord)
    left join lateral (
      select state from contact_topic where tenant_id = ${tenantId} and contact_id = w.contact_id and topic_id = w.topic_id limit 1
    ) s on true
    left join lateral (select by_default from topic where tenant_id = ${tenantId} and topic_id = w.topic_id limit 1) t on true
    order by w.ord`);
  return rows.map(({ isSubscribed }) => isSubscribed);
}

/** The states of these, locked until the transaction ends: in key order, so that two callers cannot wait for each other. */
export function lockStates(tx: Transaction, tenantId: number, pairs: readonly Pair[]): Promise<StandingRow[]> {
  return tx.rows(sql<StandingRow>`
    select s.contact_id as "contactId", s.topic_id as "topicId", s.state, s.source, s.refused_by as "refusedBy"
    from (select * from ${unnested(pairs)} order by 1, 2) w cross join lateral (
      select * from contact_topic
      where tenant_id = ${tenantId} and contact_id = w.contact_id and topic_id = w.topic_id limit 1 for update
    ) s`);
}

/** What these contacts said of these topics. */
export function selectStandings(
  db: Runner,
  tenantId: number,
  contactIds: readonly string[],
  topicIds: readonly string[],
): Promise<StandingRow[]> {
  return db.rows(sql<StandingRow>`
    select s.contact_id as "contactId", s.topic_id as "topicId", s.state, s.source, s.refused_by as "refusedBy"
    from unnest(${contactIds}::uuid[]) as w (contact_id) cross join lateral (
      select * from contact_topic where tenant_id = ${tenantId} and contact_id = w.contact_id
        and topic_id = any(${topicIds.map(bytes)}::bytea[]) offset 0
    ) s`);
}

function unnested(pairs: readonly Pair[]): Sql {
  return sql`unnest(${pairs.map((p) => p.contactId)}::uuid[], ${pairs.map((p) => bytes(p.topicId))}::bytea[]) as w (contact_id, topic_id)`;
}

/** What a contact is to a topic from now on. */
export interface NewState extends Pair, Standing {
  readonly since: string;
  readonly formId: string | null;
}

function unnestedStates(states: readonly NewState[]): Sql {
  return sql`unnest(${states.map((s) => s.contactId)}::uuid[], ${states.map((s) => bytes(s.topicId))}::bytea[],
    ${states.map((s) => s.state)}::text[], ${states.map((s) => s.since)}::timestamptz[], ${states.map((s) => s.source)}::text[],
    ${states.map((s) => s.formId && bytes(s.formId))}::bytea[], ${states.map((s) => s.refusedBy)}::text[])
    as n (contact_id, topic_id, state, since, source, form_id, refused_by)`;
}

/** Stores the first states of contacts, and counts them. Returns those that were stored: for the rest, other transactions were faster. */
export async function insertStates(tx: Transaction, tenantId: number, states: readonly NewState[]): Promise<Pair[]> {
  if (states.length === 0) return [];
  return tx.rows(sql<Pair>`
    with added as (
      insert into contact_topic (tenant_id, contact_id, topic_id, state, since, source, form_id, refused_by)
      select ${tenantId}, n.* from ${unnestedStates(states)} order by n.contact_id, n.topic_id
      on conflict do nothing returning contact_id, topic_id, state
    ), counted as (
      ${intoCounters}
      select ${tenantId}, ${counterOf.topicState(sql`topic_id`, sql`state`)}, count(*) from added group by topic_id, state
    )
    select contact_id as "contactId", topic_id as "topicId" from added`);
}

/** Other words of contacts whose rows are locked, counted. */
export async function updateStates(
  tx: Transaction,
  tenantId: number,
  states: readonly (NewState & { before: TopicState })[],
): Promise<void> {
  if (states.length === 0) return;
  const moved = new Map<string, number>();
  const add = (counter: string, delta: number) => moved.set(counter, (moved.get(counter) ?? 0) + delta);
  for (const { topicId, before, state } of states) {
    add(counters.topicState(topicId, before), -1);
    add(counters.topicState(topicId, state), 1);
  }
  const deltas = [...moved].filter(([, delta]) => delta !== 0);
  await tx.run(sql`
    with counted as (
      ${intoCounters}
      select ${tenantId}, * from unnest(${deltas.map(([counter]) => counter)}::text[], ${deltas.map(([, delta]) => delta)}::bigint[])
    )
    update contact_topic s set state = n.state, since = n.since, source = n.source, form_id = n.form_id, refused_by = n.refused_by
    from ${unnestedStates(states)}
    where s.tenant_id = ${tenantId} and s.contact_id = n.contact_id and s.topic_id = n.topic_id`);
}

export interface NewEntry extends Pair {
  readonly at: string;
  readonly state: TopicState;
  readonly source: ConsentSource;
  readonly formId: string | null;
  readonly text: string | null;
  readonly accountId: number | null;
}

export async function insertLog(tx: Transaction, tenantId: number, entries: readonly NewEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const of = <T>(value: (entry: NewEntry) => T) => entries.map(value);
  await tx.run(sql`
    insert into consent_log (tenant_id, contact_id, at, topic_id, state, source, form_id, text, account_id)
    select ${tenantId}, contact_id, at, topic_id, state, source, form_id, text, account_id
    from unnest(${of((e) => e.contactId)}::uuid[], ${of((e) => e.at)}::timestamptz[], ${of((e) => bytes(e.topicId))}::bytea[],
      ${of((e) => e.state)}::text[], ${of((e) => e.source)}::text[], ${of((e) => e.formId && bytes(e.formId))}::bytea[],
      ${of((e) => e.text)}::text[], ${of((e) => e.accountId)}::bigint[]) with ordinality
      as n (contact_id, at, topic_id, state, source, form_id, text, account_id, ord)
    order by ord`);
}

const logColumns = sql`
  at, topic_id as "topicId", state, source, form_id as "formId", text, account_id as "accountId"`;

export function selectLog(db: Database, tenantId: number, contactId: string, page: PageOf): Promise<Page<LogRow>> {
  const own = sql`tenant_id = ${tenantId} and contact_id = ${contactId}`;
  const total = sql`(select count(*) from consent_log where ${own})`;
  const rows = sql<LogRow>`
    select ${logColumns} from consent_log where ${own} order by log_no desc limit ${page.limit} offset ${page.offset}`;
  return paged(db, tenantId, page, { total, rows });
}

type ToldChange = Pick<LogRow, 'at' | 'state' | 'source'>;

/** What a contact said of a topic, the newest first. */
export function selectTopicLog(
  db: Runner,
  tenantId: number,
  contactId: string,
  topicId: string,
  atMost: number,
): Promise<ToldChange[]> {
  return db.rows(sql<ToldChange>`
    select at, state, source from consent_log
    where tenant_id = ${tenantId} and contact_id = ${contactId} and topic_id = ${bytes(topicId)}
    order by log_no desc limit ${atMost}`);
}

export type NumberedEntry = LogRow & { logNo: number };

/** The same, oldest first, for the right of access. */
export function selectLogAfter(
  db: Runner,
  tenantId: number,
  contactId: string,
  after: number | undefined,
  limit: number,
): Promise<NumberedEntry[]> {
  return db.rows(sql<NumberedEntry>`
    select log_no as "logNo", ${logColumns} from consent_log
    where tenant_id = ${tenantId} and contact_id = ${contactId} and log_no > ${after ?? 0} order by log_no limit ${limit}`);
}

/**
 * Removes what a contact said, and how that came about. What it had unsubscribed from stays under the hash of its address, also
 * where it was asked again and has not answered.
 */
export async function forgetStates(
  tx: Transaction,
  tenantId: number,
  contactId: string,
  hash: string,
): Promise<Pair[]> {
  await tx.run(sql`delete from consent_log where tenant_id = ${tenantId} and contact_id = ${contactId}`);
  return tx.rows(sql<Pair>`
    with gone as (
      delete from contact_topic where tenant_id = ${tenantId} and contact_id = ${contactId}
      returning contact_id, topic_id, state, since, source, refused_by
    ), counted as (
      ${intoCounters} select ${tenantId}, ${counterOf.topicState(sql`topic_id`, sql`state`)}, -1 from gone
    ), kept as (
      insert into topic_refusal (tenant_id, address_hash, topic_id, since, source)
      select ${tenantId}, ${bytes(hash)}, topic_id, since, coalesce(refused_by, source)
      from gone where state = 'unsubscribed' or refused_by is not null
      on conflict (tenant_id, address_hash, topic_id) do update set since = excluded.since, source = excluded.source
    )
    select contact_id as "contactId", topic_id as "topicId" from gone`);
}

/** Whether any address of a tenant is kept so, as an expression. */
export function hasRefusals(tenantId: number): Sql {
  return sql`exists (select from topic_refusal where tenant_id = ${tenantId})`;
}

/** The tenant's salt; if there is none yet, the given one becomes it. Concurrent callers get the same one. */
export async function keepSalt(db: Runner, tenantId: number, salt: Buffer): Promise<Buffer> {
  const row = await db.row(sql<{ salt: string }>`
    insert into tenant_salt as t (tenant_id, salt) values (${tenantId}, ${bytes(salt.toString('hex'))})
    on conflict (tenant_id) do update set salt = t.salt returning salt`);
  return Buffer.from((row as { salt: string }).salt, 'hex');
}

/** The hash of an address as AddressHashes makes it, of a row `s` of this table. */
export const saltTable = sql`tenant_salt`;
export function hashSql(email: Sql): Sql {
  return sql`sha256(s.salt || convert_to(${email}, 'UTF8'))`;
}

interface LeftTopic extends Pair {
  at: string;
  eventNo: number;
}

/** On contacts' timelines. */
export async function insertUnsubscriptions(
  tx: Transaction,
  tenantId: number,
  rows: readonly LeftTopic[],
): Promise<void> {
  await tx.run(sql`
    ${intoMarketing}
    select ${tenantId}, contact_id, event_date, event_no, 'unsubscribed', null, null, null, null, null, false, topic_id, null
    from unnest(${rows.map((r) => r.contactId)}::uuid[], ${rows.map((r) => r.at)}::timestamptz[],
      ${rows.map((r) => r.eventNo)}::bigint[], ${rows.map((r) => bytes(r.topicId))}::bytea[])
      as n (contact_id, event_date, event_no, topic_id)
    order by 2, 3, 4`);
}
