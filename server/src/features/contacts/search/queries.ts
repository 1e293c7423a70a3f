import type { Runner, Transaction } from '../../../db/database.js';
import type { PageOf } from '../../../db/paged.js';
import { type Sql, sql } from '../../../db/sql.js';

/** Ids of the contacts that match, as a subquery: from the index, from those newer than it, from those renamed. */
export function matchingContacts(tenantId: number, folded: string, grams: readonly number[], isShort: boolean): Sql {
  const matches = sql`position(${folded} in c.search_text) > 0`;
  // Under three characters there is no trigram: the tenant's contacts are read one by one.
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
const firstId = '00000000000000000000000000000000';

export async function queueForSearch(tx: Transaction, tenantId: number, ids: readonly string[]): Promise<void> {
  await tx.run(sql`
    insert into contact_search_queue (tenant_id, contact_id)
    select ${tenantId}, id from unnest(${ids}::uuid[]) as u (id) order by id on conflict do nothing`);
}

export async function forgetInSearch(tx: Transaction, tenantId: number, contactId: string): Promise<void> {
  await tx.run(sql`delete from contact_search_queue where tenant_id = ${tenantId} and contact_id = ${contactId}`);
  await tx.run(sql`delete from contact_search where tenant_id = ${tenantId} and contact_id = ${contactId}`);
}

export interface Unsettled {
  tenantId: number;
  contactId: string;
  searchText: string;
}

/** Contacts made since the tenant's last round, oldest first, except those younger than `before`. */
export function selectNewer(db: Runner, before: string, atMost: number): Promise<Unsettled[]> {
  return db.rows(sql<Unsettled>`
    select c.* from tenant t
    left join contact_search_progress p using (tenant_id)
    cross join lateral (
      select tenant_id as "tenantId", contact_id as "contactId", search_text as "searchText" from contact
      where tenant_id = t.tenant_id and contact_id > coalesce(p.settled_to, ${firstId}::uuid) and contact_id < ${before}::uuid
      order by contact_id limit ${atMost}
    ) c limit ${atMost}`);
}

export function selectRenamed(db: Runner, atMost: number): Promise<Unsettled[]> {
  return db.rows(sql<Unsettled>`
    select c.tenant_id as "tenantId", c.contact_id as "contactId", c.search_text as "searchText"
    from contact_search_queue q join contact c using (tenant_id, contact_id) limit ${atMost}`);
}

type WithGrams = Unsettled & { grams: number[] };

/** Stores grams. A contact that was erased or renamed meanwhile is left alone: its text no longer matches. */
export async function storeGrams(tx: Transaction, rows: readonly WithGrams[]): Promise<void> {
  await tx.run(sql`
    insert into contact_search (tenant_id, contact_id, grams)
    select c.tenant_id, c.contact_id, u.grams::integer[]
    from unnest(${rows.map((r) => r.tenantId)}::bigint[], ${rows.map((r) => r.contactId)}::uuid[],
      ${rows.map((r) => r.searchText)}::text[], ${rows.map((r) => `{${r.grams.join(',')}}`)}::text[])
      as u (tenant_id, contact_id, search_text, grams)
    join contact c on c.tenant_id = u.tenant_id and c.contact_id = u.contact_id and c.search_text = u.search_text
    order by 1, 2
    for key share of c
    on conflict (tenant_id, contact_id) do update set grams = excluded.grams`);
}

export async function unqueue(tx: Transaction, rows: readonly Unsettled[]): Promise<void> {
  await tx.run(sql`
    delete from contact_search_queue q using contact c, unnest(${rows.map((r) => r.tenantId)}::bigint[],
      ${rows.map((r) => r.contactId)}::uuid[], ${rows.map((r) => r.searchText)}::text[]) as u (tenant_id, contact_id, search_text)
    where q.tenant_id = u.tenant_id and q.contact_id = u.contact_id and c.tenant_id = u.tenant_id
      and c.contact_id = u.contact_id and c.search_text = u.search_text`);
}

export async function advance(tx: Transaction, rows: readonly Unsettled[]): Promise<void> {
  await tx.run(sql`
    insert into contact_search_progress as p (tenant_id, settled_to)
    select tenant_id, max(contact_id::text)::uuid
    from unnest(${rows.map((r) => r.tenantId)}::bigint[], ${rows.map((r) => r.contactId)}::uuid[]) as u (tenant_id, contact_id)
    group by tenant_id order by tenant_id
    on conflict (tenant_id) do update set settled_to = greatest(p.settled_to, excluded.settled_to)`);
}

export function pageOfMatches(
  db: Runner,
  matching: Sql,
  { limit, offset }: PageOf,
): Promise<{ total: number; ids: string[] | null } | undefined> {
  return db.row(sql<{ total: number; ids: string[] | null }>`
    with hit as materialized (${matching})
    select (select count(*) from hit) as total,
      (select array_agg(contact_id order by contact_id desc) from (
        select contact_id from hit order by contact_id desc limit ${limit} offset ${offset}) page) as ids`);
}
