// Which lists and topics filters mention.
import type { Runner, Transaction } from '../../../db/database.js';
import { bytes, sql } from '../../../db/sql.js';

/** The names of those of these lists that are live, by id. */
export async function selectDynamicNames(
  db: Runner,
  tenantId: number,
  listIds: readonly string[],
): Promise<Map<string, string>> {
  if (listIds.length === 0) return new Map();
  const rows = await db.rows(sql<{ id: string; name: string }>`
    select list_id as id, name from dynamic_list
    where tenant_id = ${tenantId} and list_id = any(${listIds.map(bytes)}::bytea[]) and deleted_at is null`);
  return new Map(rows.map((row) => [row.id, row.name]));
}

// Only a condition has a key of this name.
const usePaths = {
  staticListId: sql`'$.**.staticListId ? (@ == $id)'`,
  dynamicListId: sql`'$.**.dynamicListId ? (@ == $id)'`,
  topic: sql`'$.**.topic ? (@ == $id)'`,
};

/** The names of the live lists whose filters use a list or a topic. */
export async function selectUsers(
  tx: Transaction,
  tenantId: number,
  kind: keyof typeof usePaths,
  id: string,
): Promise<string[]> {
  const rows = await tx.rows(sql<{ name: string }>`
    select name from dynamic_list
    where tenant_id = ${tenantId} and deleted_at is null
      and jsonb_path_exists(filter, ${usePaths[kind]}, jsonb_build_object('id', ${id}::text))
    order by created_at, list_id`);
  return rows.map((row) => row.name);
}

/** The lists that a filter of a live list uses, as a lateral query on `l`: list_id. */
export const usedByFilter = sql`
  select decode(used #>> '{}', 'hex') as list_id from jsonb_path_query(l.filter, '$.**.dynamicListId') as used`;

/** Which of these lists are the wanted one, or use it through any number of lists. */
export async function selectLeadingTo(
  tx: Transaction,
  tenantId: number,
  listIds: readonly string[],
  wanted: string,
): Promise<Set<string>> {
  if (listIds.length === 0) return new Set();
  const rows = await tx.rows(sql<{ start: string }>`
    with recursive reached (start, list_id) as (
      select id, id from unnest(${listIds.map(bytes)}::bytea[]) as given (id)
      union
      select r.start, used.list_id from reached r
      join dynamic_list l on l.tenant_id = ${tenantId} and l.list_id = r.list_id and l.deleted_at is null
      cross join lateral (${usedByFilter}) used
    )
    select distinct start from reached where list_id = ${bytes(wanted)}`);
  return new Set(rows.map((row) => row.start));
}
