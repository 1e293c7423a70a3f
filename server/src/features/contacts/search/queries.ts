import type { Runner, Transaction } from '../../../db/database.js';
import type { PageOf } from '../../../db/paged.js';
import { type Sql, sql } from '../../../db/sql.js';
import { searchedGrams } from '../../../lib/grams.js';
import { foldCase } from '../../../lib/text.js';
import { headsOf } from '../../../work/heads.js';
import type { Due, Waiting } from '../../../work/queue.js';
import { tenantTable } from '../../tenants/index.js';

/** The contacts that match: from the index, from contacts newer than the index, and from renamed ones. */
export function matchingContacts(
  tenantId: number,
  folded: string,
  grams: readonly number[],
  isShort: boolean,
): ContactIds {
  const matches = sql`position(${folded} in c.search_text) > 0`;
  // Fewer than three characters make no trigram, so all contacts of the tenant are read.
  if (isShort) return sql`select c.contact_id from contact c where c.tenant_id = ${tenantId} and ${matches}`;
  return sql`
    select c.contact_id from contact_search s join contact c using (tenant_id, contact_id)
    where s.tenant_id = ${tenantId} and s.grams @> ${grams}::integer[] and ${matches}
    union
    select c.contact_id from contact c
    where c.tenant_id = ${tenantId} and ${matches} and c.contact_id > coalesce(
      (select settled_to from contact_search_progress where tenant_id = ${tenantId}), ${firstId}::uuid)
    union
    select c.contact_id from contact_search_queue q join contact c using (tenant_id, contact_id)
    where q.tenant_id = ${tenantId} and ${matches}`;
}
/** The same for the text as the user typed it. */
export function contactsFound(tenantId: number, search: string): Sql {
  const folded = foldCase(search);
  return matchingContacts(tenantId, folded, searchedGrams(tenantId, search), [...folded].length < 3);
}
const firstId = '00000000000000000000000000000000';

export async function queueForSearch(tx: Transaction, tenantId: number, ids: readonly string[]): Promise<void> {
  await tx.run(sql`
    insert into contact_search_queue (tenant_id, contact_id)
    select ${tenantId}, id from unnest(${ids}::uuid[]) as u (id) order by id
    on conflict (tenant_id, contact_id) do update set attempts = 0, last_error = null, due_at = now()
      where contact_search_queue.attempts > 0 or contact_search_queue.due_at = 'infinity'`);
}

export async function forgetInSearch(tx: Transaction, tenantId: number, contactId: string): Promise<void> {
  await tx.run(sql`delete from contact_search_queue where tenant_id = ${tenantId} and contact_id = ${contactId}`);
  await tx.run(sql`delete from contact_search where tenant_id = ${tenantId} and contact_id = ${contactId}`);
}

export interface Unsettled {
  contactId: string;
  searchText: string;
  attempts: number;
}

/**
 * Tenants with contacts to settle: created since the last time and before `before`, or in the queue and due. Selects the first such contact
 * instead of asking whether there is one: when the planner overestimated the unsettled contacts, it read the whole table to find none.
 */
export async function selectDue(db: Runner, before: string): Promise<Due> {
  const rows = await db.rows(sql<{ tenantId: number; waitMs: number }>`
    /* all tenants */ select tenant_id as "tenantId", 0::float8 as "waitMs" from ${tenantTable} t left join contact_search_progress p using (tenant_id)
    where (
      select c.contact_id from contact c where c.tenant_id = t.tenant_id and c.contact_id > coalesce(p.settled_to, ${firstId}::uuid)
        and c.contact_id < ${before}::uuid order by c.contact_id limit 1) is not null
    union all
    select tenant_id, extract(epoch from due_at - now()) * 1000
    from ${headsOf(sql`contact_search_queue`, sql`due_at < 'infinity'`, sql`due_at`, sql`due_at`)} heads`);
  const due = rows.filter((row) => row.waitMs <= 0);
  const later = rows.filter((row) => row.waitMs > 0).map((row) => row.waitMs);
  return {
    tenants: [...new Set(due.map((row) => row.tenantId))],
    nextInMs: later.length > 0 ? Math.min(...later) : undefined,
  };
}

/** How many contacts wait to be settled, and since when. */
export function selectUnsettled(db: Runner, kind: string): Promise<Waiting[]> {
  return db.rows(sql<Waiting>`
    /* all tenants */ select tenant_id as "tenantId", ${kind}::text as kind, sum(n)::int8 as count, min(since) as since,
      max(attempts)::integer as attempts, max(last_error) as "lastError", min(due_at) as "dueAt"
    from (
      select t.tenant_id, c.n, c.since, 0 as attempts, null as last_error, null::timestamptz as due_at
      from ${tenantTable} t left join contact_search_progress p using (tenant_id) cross join lateral (
        select count(*) as n, min(created_at) as since from contact
        where tenant_id = t.tenant_id and contact_id > coalesce(p.settled_to, ${firstId}::uuid)
      ) c where c.n > 0
      union all
      select q.tenant_id, count(*), min(least(q.due_at, now())), max(q.attempts), max(q.last_error),
        min(q.due_at) filter (where q.attempts > 0 and q.due_at < 'infinity')
      from contact_search_queue q group by q.tenant_id
    ) unsettled group by tenant_id`);
}

/** Contacts of a tenant created since the last time and before `before`, oldest first. */
export function selectNewer(tx: Transaction, tenantId: number, before: string, atMost: number): Promise<Unsettled[]> {
  return tx.rows(sql<Unsettled>`
    select contact_id as "contactId", search_text as "searchText", 0 as attempts from contact
    where tenant_id = ${tenantId} and contact_id < ${before}::uuid and contact_id > coalesce(
      (select settled_to from contact_search_progress where tenant_id = ${tenantId}), ${firstId}::uuid)
    order by contact_id limit ${atMost}`);
}

export function selectRenamed(tx: Transaction, tenantId: number, atMost: number): Promise<Unsettled[]> {
  return tx.rows(sql<Unsettled>`
    select q.contact_id as "contactId", c.search_text as "searchText", q.attempts from (
      select contact_id, attempts, due_at from contact_search_queue
      where tenant_id = ${tenantId} and due_at <= now() order by due_at limit ${atMost}
    ) q join contact c on c.tenant_id = ${tenantId} and c.contact_id = q.contact_id order by q.due_at`);
}

/** Stores grams. Skips a contact that was erased or renamed meanwhile: its text no longer matches. */
export async function storeGrams(
  tx: Transaction,
  tenantId: number,
  rows: readonly (Unsettled & { grams: number[] })[],
): Promise<void> {
  await tx.run(sql`
    insert into contact_search (tenant_id, contact_id, grams)
    select c.tenant_id, c.contact_id, u.grams::integer[]
    from unnest(${rows.map((r) => r.contactId)}::uuid[], ${rows.map((r) => r.searchText)}::text[],
      ${rows.map((r) => `{${r.grams.join(',')}}`)}::text[]) as u (contact_id, search_text, grams)
    join contact c on c.tenant_id = ${tenantId} and c.contact_id = u.contact_id and c.search_text = u.search_text
    order by 1, 2
    for key share of c
    on conflict (tenant_id, contact_id) do update set grams = excluded.grams`);
}

export async function unqueue(tx: Transaction, tenantId: number, rows: readonly Unsettled[]): Promise<void> {
  await tx.run(sql`
    delete from contact_search_queue q using contact c, unnest(${rows.map((r) => r.contactId)}::uuid[],
      ${rows.map((r) => r.searchText)}::text[]) as u (contact_id, search_text)
    where q.tenant_id = ${tenantId} and q.contact_id = u.contact_id and c.tenant_id = ${tenantId}
      and c.contact_id = u.contact_id and c.search_text = u.search_text`);
}

export async function advance(
  tx: Transaction,
  tenantId: number,
  rows: readonly Pick<Unsettled, 'contactId'>[],
): Promise<void> {
  await tx.run(sql`
    insert into contact_search_progress as p (tenant_id, settled_to)
    select ${tenantId}, max(id)::uuid from unnest(${rows.map((r) => r.contactId)}::text[]) as u (id)
    on conflict (tenant_id) do update set settled_to = greatest(p.settled_to, excluded.settled_to)`);
}

/** Records in the queue that a contact's grams could not be stored. Without a delay, it is not tried again. */
export async function setAside(
  tx: Transaction,
  tenantId: number,
  contactId: string,
  { attempts, error, waitMs }: { attempts: number; error: string; waitMs: number | undefined },
): Promise<void> {
  const dueAt = waitMs === undefined ? sql`'infinity'` : sql`clock_timestamp() + ${waitMs}::float8 * interval '1 ms'`;
  await tx.run(sql`
    insert into contact_search_queue as q (tenant_id, contact_id, attempts, last_error, due_at)
    select ${tenantId}, ${contactId}::uuid, ${attempts}::smallint, ${error}, ${dueAt} from contact
    where tenant_id = ${tenantId} and contact_id = ${contactId}::uuid
    on conflict (tenant_id, contact_id) do update
      set attempts = greatest(q.attempts, excluded.attempts), last_error = excluded.last_error, due_at = excluded.due_at`);
  // From now on the queue has it.
  await advance(tx, tenantId, [{ contactId }]);
}

/** Contacts as a query with a column contact_id, so that features can pass selections to each other. */
export type ContactIds = Sql;

/** Ids sort by creation time. */
export type ContactSort = 'createdAt' | '-createdAt' | 'email' | '-email';

export function inBoth(one: ContactIds, other: ContactIds): ContactIds {
  return sql`select m.contact_id from (${one}) m where m.contact_id in (${other})`;
}

export function pageOfMatches(
  db: Runner,
  tenantId: number,
  matching: ContactIds,
  sort: ContactSort,
  { limit, offset }: PageOf,
): Promise<{ total: number; ids: string[] | null } | undefined> {
  const isByEmail = sort.endsWith('email');
  const order = sort.startsWith('-') ? sql`desc` : sql`asc`;
  const keyed = isByEmail
    ? sql`select contact_id, c.email as key from hit join contact c using (contact_id) where c.tenant_id = ${tenantId}`
    : sql`select contact_id, contact_id as key from hit`;
  return db.row(sql<{ total: number; ids: string[] | null }>`
    with hit as materialized (${matching})
    select (select count(*) from hit) as total,
      (select array_agg(contact_id order by key ${order}) from (
        select contact_id, key from (${keyed}) k order by key ${order} limit ${limit} offset ${offset}) page) as ids`);
}
