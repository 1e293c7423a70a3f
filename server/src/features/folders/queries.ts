import { counters, counterValue, intoCounters } from '../../db/counters.js';
import type { Database, Runner, Transaction } from '../../db/database.js';
import { type Page, type PageOf, paged } from '../../db/paged.js';
import { bytes, type Sql, sql } from '../../db/sql.js';
import { searchedGrams, storedGrams } from '../../lib/grams.js';
import { foldCase } from '../../lib/text.js';

/** Joins the folder of `of`, a row of anything that can be in one, as `f`. */
export const folderOf = (of: Sql) =>
  sql`left join folder f on f.tenant_id = ${of}.tenant_id and f.folder_id = ${of}.folder_id`;

export interface FolderRow {
  directoryId: string;
  directoryName: string;
}
const columns = sql`folder_id as "directoryId", name as "directoryName"`;
const counter = counters.folders;

/** Returns nothing when the name is taken. */
export function insertFolder(
  tx: Runner,
  tenantId: number,
  folderId: string,
  name: string,
): Promise<FolderRow | undefined> {
  return tx.row(sql<FolderRow>`
    with made as (
      insert into folder (tenant_id, folder_id, name, name_folded, name_grams)
      values (${tenantId}, ${bytes(folderId)}, ${name}, ${foldCase(name)}, ${storedGrams(tenantId, name)})
      on conflict on constraint folder_name do nothing returning *
    ), counted as (
      ${intoCounters} select tenant_id, ${counter}, 1 from made
    )
    select ${columns} from made`);
}

/**
 * The folder cannot be deleted until the transaction ends. Must come before locks on its contents: a deletion locks the folder first, then its
 * contents.
 */
export function holdFolder(tx: Transaction, tenantId: number, folderId: string): Promise<FolderRow | undefined> {
  return tx.row(sql<FolderRow>`
    select ${columns} from folder where tenant_id = ${tenantId} and folder_id = ${bytes(folderId)} for key share`);
}

export function holdFolderByName(tx: Transaction, tenantId: number, name: string): Promise<FolderRow | undefined> {
  return tx.row(sql<FolderRow>`
    select ${columns} from folder where tenant_id = ${tenantId} and name = ${name} for key share`);
}

export function renameFolderRow(
  db: Runner,
  tenantId: number,
  folderId: string,
  name: string,
): Promise<FolderRow | undefined> {
  return db.row(sql<FolderRow>`
    update folder set name = ${name}, name_folded = ${foldCase(name)}, name_grams = ${storedGrams(tenantId, name)}
    where tenant_id = ${tenantId} and folder_id = ${bytes(folderId)} returning ${columns}`);
}

/** Returns the deleted folder. */
export function deleteFolderRow(db: Runner, tenantId: number, folderId: string): Promise<FolderRow | undefined> {
  return db.row(sql<FolderRow>`
    with gone as (delete from folder where tenant_id = ${tenantId} and folder_id = ${bytes(folderId)} returning *),
    counted as (${intoCounters} select tenant_id, ${counter}, -1 from gone)
    select ${columns} from gone`);
}

export function selectFolders(
  db: Database,
  tenantId: number,
  search: string | undefined,
  { limit, offset }: PageOf,
): Promise<Page<FolderRow>> {
  const filter = search === undefined ? sql`` : sql`and ${nameMatches(tenantId, search)}`;
  const total =
    search === undefined
      ? counterValue(tenantId, counter)
      : sql`(select count(*) from folder where tenant_id = ${tenantId} ${filter})`;
  const rows = sql<FolderRow>`
    select ${columns} from folder where tenant_id = ${tenantId} ${filter}
    order by created_at desc, folder_id desc limit ${limit} offset ${offset}`;
  return paged(db, tenantId, { limit, offset, isSearch: search !== undefined }, { total, rows });
}

/** Substring search on a table with name_folded and name_grams: the index finds candidates, the text decides. */
export function nameMatches(tenantId: number, search: string): Sql {
  return sql`name_grams @> ${searchedGrams(tenantId, search)}::integer[] and position(${foldCase(search)} in name_folded) > 0`;
}
