import { counters, counterValue, intoCounters } from '../../db/counters.js';
import type { Database, Runner, Transaction } from '../../db/database.js';
import { locks } from '../../db/locks.js';
import { type Page, type PageOf, paged } from '../../db/paged.js';
import { bytes, type Sql, sql } from '../../db/sql.js';
import { storedGrams } from '../../lib/grams.js';
import { foldCase } from '../../lib/text.js';
import { folderOf, nameMatches } from '../folders/index.js';
import type { DynamicListing, DynamicListRow } from '../lists/index.js';
import type { By } from './authoring.js';

/** Tables that features above may read; only this one writes them: see scripts/table-owners.js. */
export const dynamicListTable = sql`dynamic_list`;

/** Of `l`, a dynamic_list row, and `f`, its folder. */
export const dynamicColumns = sql`
  l.list_id as "dynamicListId", l.name, l.description, l.list_type as "listType",
  l.query_context as "generatedQueryContext", l.is_valid_query as "isValidQuery", l.folder_id as "directoryId",
  f.name as "directoryName", l.created_at as "createdAt", l.created_by as "createdBy",
  l.updated_at as "updatedAt", l.updated_by as "updatedBy", 'dynamic' as type`;

/** The settings of a list besides its filter. */
export interface Content {
  name: string;
  description: string | null;
  folderId: string | null;
  journeyId: string | null;
}
type Context = 'person' | 'person_org';

/**
 * Locks the tenant's filters against other edits until the transaction ends. It waits only for other edits, which take milliseconds, not for
 * writers of what filters read, nor for evaluation. During an upgrade it also waits for edits and workers of the previous build: they
 * take those locks alone. Separate statements, so that what follows sees what the previous edit wrote.
 */
export async function lockEdits(tx: Transaction, tenantId: number): Promise<void> {
  await tx.run(sql`select set_config('lock_timeout', '4s', true)`);
  await tx.run(sql`select pg_advisory_xact_lock(${locks.audienceEdits}::integer, ${tenantId}::integer)`);
  await tx.run(sql`select pg_advisory_xact_lock_shared(${locks.audience}::integer, ${tenantId}::integer),
    pg_advisory_xact_lock_shared(${locks.audienceWork}::integer, ${tenantId}::integer)`);
}

/** The last thing that an edit does: caches of the tenant's filters are now out of date. */
export async function bumpVersion(tx: Transaction, tenantId: number): Promise<void> {
  await tx.run(sql`
    insert into audience as a (tenant_id, version) values (${tenantId}, 1)
    on conflict (tenant_id) do update set version = a.version + 1`);
}

const idOf = (id: string | null) => id && bytes(id);
const listTypeOf = ({ journeyId }: Content) => (journeyId === null ? 'dynamic_list_asset' : 'campaign_audience');

export async function insertDynamicList(
  tx: Transaction,
  { tenantId, accountId }: By,
  listId: string,
  list: Content & { filter: unknown; context: Context },
): Promise<DynamicListRow> {
  const { name, description, folderId, journeyId, filter, context } = list;
  const row = await tx.row(sql<DynamicListRow>`
    with l as (
      insert into dynamic_list (tenant_id, list_id, name, name_folded, name_grams, description, list_type, query_context,
        is_valid_query, folder_id, journey_id, filter, created_by, updated_by)
      values (${tenantId}, ${bytes(listId)}, ${name}, ${foldCase(name)}, ${storedGrams(tenantId, name)}, ${description},
        ${listTypeOf(list)}, ${context}, true, ${idOf(folderId)}, ${idOf(journeyId)}, ${JSON.stringify(filter)}::jsonb,
        ${accountId}, ${accountId})
      returning *
    ), counted as (
      ${intoCounters} select tenant_id, ${counters.dynamicLists}, 1 from l
    )
    select ${dynamicColumns} from l ${folderOf(sql`l`)}`);
  return row as DynamicListRow;
}

function live(tenantId: number, listId: string): Sql {
  return sql`l.tenant_id = ${tenantId} and l.list_id = ${bytes(listId)} and l.deleted_at is null`;
}

interface StoredList extends Content {
  listNo: number;
  filter: unknown;
}
const storedColumns = sql`l.list_no as "listNo", l.name, l.description, l.folder_id as "folderId", l.journey_id as "journeyId", l.filter`;

export function findDynamicList(db: Runner, tenantId: number, listId: string): Promise<StoredList | undefined> {
  return db.row(sql<StoredList>`select ${storedColumns} from dynamic_list l where ${live(tenantId, listId)}`);
}

/** The same, and locks it until the transaction ends. */
export function holdDynamicList(tx: Transaction, tenantId: number, listId: string): Promise<StoredList | undefined> {
  return tx.row(
    sql<StoredList>`select ${storedColumns} from dynamic_list l where ${live(tenantId, listId)} for update`,
  );
}

/** `isSame`: an edit that changes nothing, and has no author. */
export async function updateDynamicListRow(
  tx: Transaction,
  { tenantId, accountId }: By,
  listId: string,
  list: Content,
  isSame: boolean,
): Promise<DynamicListRow> {
  const { name, description, folderId, journeyId } = list;
  const edited = isSame ? sql`` : sql`, updated_by = ${accountId}, updated_at = now()`;
  const row = await tx.row(sql<DynamicListRow>`
    with l as (
      update dynamic_list l set name = ${name}, name_folded = ${foldCase(name)},
        name_grams = ${storedGrams(tenantId, name)}, description = ${description}, list_type = ${listTypeOf(list)},
        folder_id = ${idOf(folderId)}, journey_id = ${idOf(journeyId)}${edited}
      where ${live(tenantId, listId)} returning *
    )
    select ${dynamicColumns} from l ${folderOf(sql`l`)}`);
  return row as DynamicListRow;
}

/** A new filter: everything that the previous one found has to be found again. */
export async function setFilter(
  tx: Transaction,
  tenantId: number,
  listId: string,
  filter: unknown,
  context: Context,
): Promise<void> {
  await tx.run(sql`
    update dynamic_list l set filter = ${JSON.stringify(filter)}::jsonb, query_context = ${context}, is_valid_query = true,
      revision = revision + 1, is_built = false, is_settled = false, built_to = null, build_step = null, build_began_at = now(),
      attempts = 0, last_error = null, due_at = now()
    where ${live(tenantId, listId)}`);
}

export async function markDeleted(tx: Transaction, { tenantId, accountId }: By, listId: string): Promise<void> {
  await tx.run(sql`
    with gone as (
      update dynamic_list l set deleted_at = now(), updated_at = now(), updated_by = ${accountId}
      where ${live(tenantId, listId)} returning tenant_id
    )
    ${intoCounters} select tenant_id, ${counters.dynamicLists}, -1 from gone`);
}

function shownIn(tenantId: number, search: string | undefined): Sql {
  const filter = search === undefined ? sql`` : sql`and ${nameMatches(tenantId, search)}`;
  return sql`tenant_id = ${tenantId} and deleted_at is null ${filter}`;
}

/** Also for callers that show lists of both kinds. */
export const dynamicListing: DynamicListing = {
  count: (tenantId, search) =>
    search === undefined
      ? counterValue(tenantId, counters.dynamicLists)
      : sql`(select count(*) from dynamic_list where ${shownIn(tenantId, search)})`,
  rows: (tenantId, search, { limit, offset }) => sql<DynamicListRow>`
    select ${dynamicColumns} from (
      select * from dynamic_list where ${shownIn(tenantId, search)}
      order by created_at desc, list_id desc limit ${limit} offset ${offset}
    ) l ${folderOf(sql`l`)} order by l.created_at desc, l.list_id desc`,
};

export function selectDynamicLists(
  db: Database,
  tenantId: number,
  search: string | undefined,
  page: PageOf,
): Promise<Page<DynamicListRow>> {
  const [total, rows] = [dynamicListing.count(tenantId, search), dynamicListing.rows(tenantId, search, page)];
  return paged(db, tenantId, { ...page, isSearch: search !== undefined }, { total, rows });
}
