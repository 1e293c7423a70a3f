import type { DynamicList, StaticList } from '@rapport/contract';
import type { Static } from 'typebox';
import { counterOf, counters, counterValue, intoCounters } from '../../db/counters.js';
import type { Runner } from '../../db/database.js';
import type { PageOf } from '../../db/paged.js';
import { bytes, type Sql, sql } from '../../db/sql.js';
import { storedGrams } from '../../lib/grams.js';
import { foldCase } from '../../lib/text.js';
import { nameMatches } from '../folders/index.js';

/** Tables that features above may read. Only this feature writes them: see scripts/table-owners.js. */
export const listMemberTable = sql`list_member`;

export type StaticListRow = Static<typeof StaticList>;
export type DynamicListRow = Static<typeof DynamicList>;

/** What dynamic lists, a feature above this one, provides about them. */
export interface DynamicListing {
  /** How many have a name like this, as an expression inside another statement. */
  count(tenantId: number, search: string | undefined): Sql;
  /** A page of them, newest first. */
  rows(tenantId: number, search: string | undefined, page: PageOf): Sql<DynamicListRow>;
}

// Columns of `l`, a static_list row.
const staticColumns = sql`
  l.list_id as "staticListId", l.name, l.created_by as "createdBy", l.updated_by as "updatedBy",
  l.created_at as "createdAt", l.updated_at as "updatedAt", l.folder_id as "directoryId", false as "isDeleted",
  'static' as type, l.flow,
  ${counterValue(sql`l.tenant_id`, counterOf.listMembers(sql`l.list_id`))} as "numRecords"`;

/** A list outside every folder has no `directoryId` at all. Built without it, because `delete` would make a slow object. */
function withoutNullFolder(row: { directoryId?: string | null | undefined }): StaticListRow {
  if (row.directoryId === null) row.directoryId = undefined;
  return row as unknown as StaticListRow;
}

interface NewList {
  tenantId: number;
  listId: string;
  name: string;
  folderId: string | null;
  accountId: number;
}

/** Returns nothing when a live list has the name. */
export async function insertStaticList(tx: Runner, list: NewList): Promise<StaticListRow | undefined> {
  const { tenantId, listId, name, folderId, accountId } = list;
  const row = await tx.row(sql<StaticListRow>`
    with l as (
      insert into static_list (tenant_id, list_id, name, name_folded, name_grams, folder_id, created_by, updated_by)
      values (${tenantId}, ${bytes(listId)}, ${name}, ${foldCase(name)}, ${storedGrams(tenantId, name)},
        ${folderId && bytes(folderId)}, ${accountId}, ${accountId})
      on conflict (tenant_id, name) where deleted_at is null do nothing returning *
    ), counted as (
      ${intoCounters} select tenant_id, ${counters.staticLists}, 1 from l
    )
    select ${staticColumns} from l`);
  return row && withoutNullFolder(row);
}

export async function findStaticList(db: Runner, tenantId: number, listId: string): Promise<StaticListRow | undefined> {
  const row = await db.row(sql<StaticListRow>`
    select ${staticColumns} from static_list l
    where l.tenant_id = ${tenantId} and l.list_id = ${bytes(listId)} and l.deleted_at is null`);
  return row && withoutNullFolder(row);
}

/** The names of the live lists among these, by id. */
export async function selectListNames(
  db: Runner,
  tenantId: number,
  listIds: readonly string[],
): Promise<Map<string, string>> {
  if (listIds.length === 0) return new Map();
  const rows = await db.rows(sql<{ id: string; name: string }>`
    select list_id as id, name from static_list
    where tenant_id = ${tenantId} and list_id = any(${listIds.map(bytes)}::bytea[]) and deleted_at is null`);
  return new Map(rows.map((row) => [row.id, row.name]));
}

interface ListChange {
  name?: string;
  /** null removes the list from its folder. */
  folderId?: string | null;
}

export async function updateStaticList(
  tx: Runner,
  tenantId: number,
  listId: string,
  accountId: number,
  { name, folderId }: ListChange,
): Promise<boolean> {
  const touched = await tx.run(sql`
    update static_list set
      name = coalesce(${name ?? null}::text, name),
      name_folded = coalesce(${name === undefined ? null : foldCase(name)}::text, name_folded),
      name_grams = coalesce(${name === undefined ? null : storedGrams(tenantId, name)}::integer[], name_grams),
      folder_id = case when ${folderId !== undefined}::boolean then ${folderId ? bytes(folderId) : null}::bytea else folder_id end,
      updated_by = ${accountId}, updated_at = now()
    where tenant_id = ${tenantId} and list_id = ${bytes(listId)} and deleted_at is null`);
  return touched === 1;
}

export async function deleteStaticList(
  tx: Runner,
  tenantId: number,
  listId: string,
  accountId: number,
): Promise<boolean> {
  const row = await tx.row(sql<{ gone: number }>`
    with gone as (
      update static_list set deleted_at = now(), updated_at = now(), updated_by = ${accountId}
      where tenant_id = ${tenantId} and list_id = ${bytes(listId)} and deleted_at is null returning tenant_id
    ), counted as (
      ${intoCounters} select tenant_id, ${counters.staticLists}, -1 from gone
    )
    select count(*) as gone from gone`);
  return row?.gone === 1;
}

/** Both totals and one page of static rows: one snapshot, one round trip. */
export async function selectStaticLists(
  db: Runner,
  tenantId: number,
  dynamicTotal: Sql,
  search: string | undefined,
  limit: number,
  offset: number,
): Promise<{ staticTotal: number; dynamicTotal: number; rows: StaticListRow[] }> {
  const filter = search === undefined ? sql`` : sql`and ${nameMatches(tenantId, search)}`;
  const found = await db.rows(sql<StaticListRow & { staticTotal: number; dynamicTotal: number }>`
    select t.*, l.* from (select
      ${staticTotal(tenantId, search)} as "staticTotal", ${dynamicTotal} as "dynamicTotal"
    ) t left join lateral (
      select ${staticColumns} from (
        select * from static_list where tenant_id = ${tenantId} and deleted_at is null ${filter}
        order by created_at desc, list_id desc limit ${limit} offset ${offset}
      ) l order by l.created_at desc, l.list_id desc
    ) l on true`);
  const [first] = found;
  const rows = found.filter((row) => row.staticListId !== null).map(withoutNullFolder);
  return { staticTotal: first?.staticTotal ?? 0, dynamicTotal: first?.dynamicTotal ?? 0, rows };
}

function staticTotal(tenantId: number, search: string | undefined): Sql {
  if (search === undefined) return counterValue(tenantId, counters.staticLists);
  return sql`(select count(*) from static_list
    where tenant_id = ${tenantId} and deleted_at is null and ${nameMatches(tenantId, search)})`;
}
