import type { Topic } from '@rapport/contract';
import type { Static } from 'typebox';
import { counterOf, counterValue, forgetCounters } from '../../../db/counters.js';
import type { Database, Runner, Transaction } from '../../../db/database.js';
import { type Page, type PageOf, paged } from '../../../db/paged.js';
import { bytes, type Sql, sql } from '../../../db/sql.js';
import { foldCase } from '../../../lib/text.js';

export type TopicRow = Static<typeof Topic>;
type Counted = 'subscribed' | 'unsubscribed' | 'pending';
/** What an author chooses. */
export type TopicContent = Omit<TopicRow, 'topicId' | Counted | 'createdAt' | 'updatedAt'>;

const count = (state: Counted) => counterValue(sql`t.tenant_id`, counterOf.topicState(sql`t.topic_id`, sql`${state}`));
// Columns of `t`, a topic.
const columns = sql`
  t.topic_id as "topicId", t.key, t.name, t.description, t.by_default as "byDefault", t.visibility,
  t.double_opt_in as "doubleOptIn", t.confirm_email_id as "confirmEmailId", ${count('subscribed')} as subscribed,
  ${count('unsubscribed')} as unsubscribed, ${count('pending')} as pending, t.created_at as "createdAt", t.updated_at as "updatedAt"`;
const live = (tenantId: number) => sql`t.tenant_id = ${tenantId} and t.deleted_at is null`;

/** Nothing where a live topic has the name or the key. */
export function insertTopic(
  tx: Transaction,
  tenantId: number,
  topicId: string,
  content: TopicContent,
): Promise<TopicRow | undefined> {
  const { key, name, description, byDefault, visibility, doubleOptIn, confirmEmailId } = content;
  return tx.row(sql<TopicRow>`
    with t as (
      insert into topic (tenant_id, topic_id, key, by_default, name, name_folded, description, visibility, double_opt_in, confirm_email_id)
      values (${tenantId}, ${bytes(topicId)}, ${key}, ${byDefault}, ${name}, ${foldCase(name)}, ${description}, ${visibility},
        ${doubleOptIn}, ${confirmEmailId && bytes(confirmEmailId)})
      on conflict do nothing returning *
    )
    select ${columns} from t`);
}

export function findTopic(db: Runner, tenantId: number, topicId: string): Promise<TopicRow | undefined> {
  return db.row(sql<TopicRow>`
    select ${columns} from topic t where ${live(tenantId)} and t.topic_id = ${bytes(topicId)}`);
}

export function lockTopic(tx: Transaction, tenantId: number, topicId: string): Promise<TopicRow | undefined> {
  return tx.row(sql<TopicRow>`
    select ${columns} from topic t where ${live(tenantId)} and t.topic_id = ${bytes(topicId)} for update`);
}

/** Whether the page of preferences shows anybody something to choose. */
export async function hasPublicTopic(db: Runner, tenantId: number): Promise<boolean> {
  const row = await db.row(sql`select 1 from topic t where ${live(tenantId)} and t.visibility = 'public' limit 1`);
  return row !== undefined;
}

/** Keeps these from being deleted until the transaction ends. Answers which there are. */
export async function holdTopics(tx: Transaction, tenantId: number, topicIds: readonly string[]): Promise<Set<string>> {
  if (topicIds.length === 0) return new Set();
  const rows = await tx.rows(sql<{ id: string }>`
    select t.topic_id as id from topic t where ${live(tenantId)} and t.topic_id = any(${topicIds.map(bytes)}::bytea[])
    order by t.topic_id for key share`);
  return new Set(rows.map(({ id }) => id));
}

/** The names of those of these topics that are live, by id. */
export async function selectTopicNames(
  db: Runner,
  tenantId: number,
  topicIds: readonly string[],
): Promise<Map<string, string>> {
  if (topicIds.length === 0) return new Map();
  const rows = await db.rows(sql<{ id: string; name: string }>`
    select t.topic_id as id, t.name from topic t where ${live(tenantId)} and t.topic_id = any(${topicIds.map(bytes)}::bytea[])`);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Like `holdTopics`, by key: the ids of those that exist. */
export async function holdTopicsByKey(
  tx: Transaction,
  tenantId: number,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx.rows(sql<{ id: string; key: string }>`
    select t.topic_id as id, t.key from topic t where ${live(tenantId)} and t.key = any(${keys}::text[])
    order by t.topic_id for key share`);
  return new Map(rows.map(({ key, id }) => [key, id]));
}

/** Whether a live topic has the name or the key. */
export async function findTaken(
  db: Runner,
  tenantId: number,
  { name, key }: { name: string; key: string },
): Promise<'name' | 'key' | undefined> {
  const row = await db.row(sql<{ what: 'name' | 'key' }>`
    select case when t.name_folded = ${foldCase(name)} then 'name' else 'key' end as what from topic t
    where ${live(tenantId)} and (t.name_folded = ${foldCase(name)} or t.key = ${key}) order by what desc limit 1`);
  return row?.what;
}

/** Keys of live topics that begin like this. */
export async function selectKeysLike(db: Runner, tenantId: number, start: string): Promise<Set<string>> {
  const rows = await db.rows(sql<{ key: string }>`
    select t.key from topic t where ${live(tenantId)} and starts_with(t.key, ${start})`);
  return new Set(rows.map(({ key }) => key));
}

export async function updateTopicRow(
  tx: Transaction,
  tenantId: number,
  topicId: string,
  content: Omit<TopicContent, 'key' | 'byDefault'>,
): Promise<void> {
  const { name, description, visibility, doubleOptIn, confirmEmailId } = content;
  await tx.run(sql`
    update topic t set name = ${name}, name_folded = ${foldCase(name)}, description = ${description}, visibility = ${visibility},
      double_opt_in = ${doubleOptIn}, confirm_email_id = ${confirmEmailId && bytes(confirmEmailId)}, updated_at = now()
    where ${live(tenantId)} and t.topic_id = ${bytes(topicId)}`);
}

/** What contacts said of it is removed by a chore. */
export async function markDeleted(tx: Transaction, tenantId: number, topicId: string): Promise<void> {
  await tx.run(sql`
    with gone as (
      update topic t set deleted_at = now(), updated_at = now() where ${live(tenantId)} and t.topic_id = ${bytes(topicId)}
      returning tenant_id, topic_id
    )
    ${forgetCounters(sql`gone`, countOfGone('subscribed'), countOfGone('unsubscribed'), countOfGone('pending'))}`);
}
function countOfGone(state: Counted): Sql {
  return counterOf.topicState(sql`gone.topic_id`, sql`${state}`);
}

export function selectTopics(
  db: Database,
  tenantId: number,
  search: string | undefined,
  page: PageOf,
): Promise<Page<TopicRow>> {
  const named = search === undefined ? sql`` : sql`and position(${foldCase(search)} in t.name_folded) > 0`;
  const total = sql`(select count(*) from topic t where ${live(tenantId)} ${named})`;
  const rows = sql<TopicRow>`
    select ${columns} from topic t where ${live(tenantId)} ${named}
    order by t.created_at desc, t.topic_id desc limit ${page.limit} offset ${page.offset}`;
  return paged(db, tenantId, { ...page, isSearch: search !== undefined }, { total, rows });
}

interface KnownTopic {
  id: string;
  key: string;
  name: string;
  byDefault: TopicRow['byDefault'];
}

/** All of a tenant. */
export function selectKnownTopics(db: Runner, tenantId: number): Promise<KnownTopic[]> {
  return db.rows(sql<KnownTopic>`
    select t.topic_id as id, t.key, t.name, t.by_default as "byDefault" from topic t where ${live(tenantId)}`);
}

/** A topic as forms see it. */
export interface FormTopic {
  topicId: string;
  name: string;
  byDefault: TopicRow['byDefault'];
  doubleOptIn: boolean;
  confirmEmailId: string | null;
}

/** Those of these that there are, by id. */
export async function selectFormTopics(
  db: Runner,
  tenantId: number,
  topicIds: readonly string[],
): Promise<Map<string, FormTopic>> {
  if (topicIds.length === 0) return new Map();
  const rows = await db.rows(sql<FormTopic>`
    select t.topic_id as "topicId", t.name, t.by_default as "byDefault", t.double_opt_in as "doubleOptIn",
      t.confirm_email_id as "confirmEmailId"
    from topic t where ${live(tenantId)} and t.topic_id = any(${topicIds.map(bytes)}::bytea[])`);
  return new Map(rows.map((row) => [row.topicId, row]));
}

/** How a topic asks for confirmation. */
export type TopicAsking = Pick<FormTopic, 'doubleOptIn' | 'confirmEmailId'>;

/** For a statement that reads more: how each live topic of these asks, as a JSON array. `topicIds`: an array of hex. */
export function topicAskingsSql(tenantId: number, topicIds: Sql): Sql {
  return sql`(
    select coalesce(json_agg(json_build_object('doubleOptIn', t.double_opt_in, 'confirmEmailId', encode(t.confirm_email_id, 'hex'))), '[]')
    from topic t where ${live(tenantId)} and t.topic_id = any(array(select decode(id, 'hex') from unnest(${topicIds}) id)))`;
}

/** The name of a live topic that asks for confirmation by this email. */
export async function findTopicConfirmedBy(db: Runner, tenantId: number, emailId: string): Promise<string | undefined> {
  const row = await db.row(sql<{ name: string }>`
    select t.name from topic t where ${live(tenantId)} and t.confirm_email_id = ${bytes(emailId)} order by t.topic_id limit 1`);
  return row?.name;
}

/** Removes what contacts said of topics that are gone, in the order of the key. Answers how many rows it looked at. */
export async function sweepTopics(db: Runner, atMost: number): Promise<number> {
  const row = await db.row(sql<{ n: number }>`
    /* all tenants */ with gone as materialized (
      select tenant_id, topic_id from topic where deleted_at is not null and not is_swept order by deleted_at limit 1
    ), batch as materialized (
      select s.* from gone g cross join lateral (
        select tenant_id, contact_id, topic_id from contact_topic
        where tenant_id = g.tenant_id and topic_id = g.topic_id limit ${atMost} for update skip locked
      ) s
    ), removed as (
      delete from contact_topic c using batch s
      where c.tenant_id = s.tenant_id and c.contact_id = s.contact_id and c.topic_id = s.topic_id
    ), refused as (
      delete from topic_refusal r using gone g where r.tenant_id = g.tenant_id and r.topic_id = g.topic_id
    ), swept as (
      update topic t set is_swept = true from gone g
      where t.tenant_id = g.tenant_id and t.topic_id = g.topic_id and not exists (select from batch)
        -- A change that was made right before the topic was deleted may not be stored yet.
        and t.deleted_at < now() - interval '1 hour'
    )
    select count(*) as n from batch`);
  return row?.n ?? 0;
}
