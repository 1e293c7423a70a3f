// Journeys as their authors see them: rows, definitions, the collection.
import type { Journey, JourneyRecord, journeySorts, journeyStatuses, journeyTypes } from '@rapport/contract';
import type { Static } from 'typebox';
import { countSome, type Some } from '../../db/count-some.js';
import { counters, counterValue, intoCounters } from '../../db/counters.js';
import type { Database, Runner, Transaction } from '../../db/database.js';
import { type Page, type PageOf, paged } from '../../db/paged.js';
import { bytes, type Sql, sql } from '../../db/sql.js';
import { storedGrams } from '../../lib/grams.js';
import { foldCase } from '../../lib/text.js';
import { dynamicListTable } from '../dynamic-lists/index.js';
import { folderOf, nameMatches } from '../folders/index.js';
import { accountShown } from '../tenants/index.js';
import { hideHeaders } from './headers/hide.js';
import { sendsEmail } from './uses/queries.js';

export interface By {
  tenantId: number;
  accountId: number;
}
export type JourneyType = (typeof journeyTypes)[number];
export type JourneyStatus = (typeof journeyStatuses)[number];
export type JourneyRow = Static<typeof Journey>;
export type Json = Record<string, unknown>;

/** What an author chooses. */
export interface Content {
  name: string;
  type: JourneyType;
  tags: readonly string[];
  folderId: string | null;
  definition: Json | null;
}

/** Times in the last day that somebody left a journey because a step failed. */
export function countFaultsLately(db: Runner, tenantId: number): Promise<Some> {
  return countSome(
    db,
    sql`select ended_at as at from enrolment
      where tenant_id = ${tenantId} and state = 'exited' and reason = 'error' and ended_at > now() - interval '1 day'
      order by ended_at desc`,
  );
}

/** A journey, locked until the transaction ends. */
export interface HeldJourney extends Content {
  journeyId: string;
  journeyNo: number;
  state: JourneyStatus;
  revision: number;
  version: number | null;
  isPaused: boolean;
  isStopping: boolean;
  nextRunAt: string | null;
  /** What a broadcast was asked to be. Null: it is none. */
  broadcast: Json | null;
}

// Of `j`, a journey, `f`, its folder, and `l`, its audience.
const rowColumns = sql`
  j.journey_id as "journeyId", j.name, j.type, j.state as status, j.next_run_at as "nextRunTime", j.tags,
  j.folder_id as "directoryId", f.name as "directoryName", j.audience_id as "dynamicListId",
  coalesce(l.query_context, 'person') as "campaignContext", j.created_at as "createdAt",
  ${accountShown(sql`j`, sql`created_by`)} as "createdBy"`;
const beside = sql`
  ${folderOf(sql`j`)}
  left join ${dynamicListTable} l on l.tenant_id = j.tenant_id and l.list_id = j.audience_id and l.deleted_at is null`;

function live(tenantId: number, journeyId: string): Sql {
  return sql`j.tenant_id = ${tenantId} and j.journey_id = ${bytes(journeyId)} and j.deleted_at is null`;
}

export async function insertJourney(
  tx: Transaction,
  { tenantId, accountId }: By,
  journeyId: string,
  { name, type, tags, folderId, definition }: Content,
  broadcast: Json | null = null,
): Promise<void> {
  await tx.run(sql`
    with made as (
      insert into journey (tenant_id, journey_id, name, name_folded, name_grams, type, tags, folder_id, definition, broadcast,
        created_by, updated_by)
      values (${tenantId}, ${bytes(journeyId)}, ${name}, ${foldCase(name)}, ${storedGrams(tenantId, name)}, ${type},
        ${tags}::text[], ${folderId && bytes(folderId)}, ${jsonOf(definition)}::jsonb, ${jsonOf(broadcast)}::jsonb,
        ${accountId}, ${accountId})
      returning tenant_id, broadcast
    )
    ${intoCounters} select tenant_id, ${counters.journeys}, 1 from made where broadcast is null`);
}

const jsonOf = (definition: Json | null) => (definition === null ? null : JSON.stringify(definition));

export function findRow(db: Runner, tenantId: number, journeyId: string): Promise<JourneyRow | undefined> {
  return db.row(sql<JourneyRow>`select ${rowColumns} from journey j ${beside} where ${live(tenantId, journeyId)}`);
}

export type JourneyDetails = Static<typeof JourneyRecord>;

/** As any reader may see it: without the values of webhook headers. */
export async function findDetails(
  db: Runner,
  tenantId: number,
  journeyId: string,
): Promise<JourneyDetails | undefined> {
  const row = await db.row(sql<JourneyDetails & { isBroadcast: boolean }>`
    select ${rowColumns}, j.broadcast is not null as "isBroadcast", j.definition, j.paused_at is not null as "isPaused", j.revision, j.version,
      j.updated_at as "updatedAt",
      ${accountShown(sql`j`, sql`updated_by`)} as "updatedBy"
    from journey j ${beside} where ${live(tenantId, journeyId)}`);
  if (!row) return undefined;
  const { isBroadcast, definition, ...details } = row;
  const kind = isBroadcast ? { kind: 'broadcast' as const } : {};
  return { ...details, ...kind, definition: hideHeaders(definition as Json | null) };
}

const heldColumns = sql`
  j.journey_id as "journeyId", j.journey_no as "journeyNo", j.name, j.type, j.tags, j.folder_id as "folderId", j.definition,
  j.state, j.revision, j.version, j.paused_at is not null as "isPaused", j.is_stopping as "isStopping",
  j.next_run_at as "nextRunAt", j.broadcast`;

/** As it is now; somebody may change it at once. */
export function findJourney(db: Runner, tenantId: number, journeyId: string): Promise<HeldJourney | undefined> {
  return db.row(sql<HeldJourney>`select ${heldColumns} from journey j where ${live(tenantId, journeyId)}`);
}

export function lockJourney(tx: Transaction, tenantId: number, journeyId: string): Promise<HeldJourney | undefined> {
  return tx.row(sql<HeldJourney>`select ${heldColumns} from journey j where ${live(tenantId, journeyId)} for update`);
}

/** Whether it exists. If so, it cannot be deleted until the transaction ends. */
export async function keepJourney(tx: Transaction, tenantId: number, journeyId: string): Promise<boolean> {
  return (await tx.row(sql`select 1 from journey j where ${live(tenantId, journeyId)} for share`)) !== undefined;
}

/** The types of those of these journeys that are there, by id. */
export async function selectTypes(
  db: Runner,
  tenantId: number,
  journeyIds: readonly string[],
): Promise<Map<string, JourneyType>> {
  if (journeyIds.length === 0) return new Map();
  const rows = await db.rows(sql<{ id: string; type: JourneyType }>`
    select journey_id as id, type from journey
    where tenant_id = ${tenantId} and journey_id = any(${journeyIds.map(bytes)}::bytea[]) and deleted_at is null`);
  return new Map(rows.map((row) => [row.id, row.type]));
}

/** Of those of these journeys that are there. */
export async function selectJourneyNames(
  db: Runner,
  tenantId: number,
  journeyIds: readonly string[],
): Promise<Map<string, string>> {
  if (journeyIds.length === 0) return new Map();
  const rows = await db.rows(sql<{ id: string; name: string }>`
    select journey_id as id, name from journey
    where tenant_id = ${tenantId} and journey_id = any(${journeyIds.map(bytes)}::bytea[]) and deleted_at is null`);
  return new Map(rows.map((row) => [row.id, row.name]));
}

export async function updateJourneyRow(
  tx: Transaction,
  { tenantId, accountId }: By,
  journeyId: string,
  { name, type, tags, folderId, definition }: Content,
): Promise<void> {
  await tx.run(sql`
    update journey j set name = ${name}, name_folded = ${foldCase(name)}, name_grams = ${storedGrams(tenantId, name)},
      type = ${type}, tags = ${tags}::text[], folder_id = ${folderId && bytes(folderId)},
      definition = ${jsonOf(definition)}::jsonb, revision = revision + 1, updated_by = ${accountId}, updated_at = now()
    where ${live(tenantId, journeyId)}`);
}

/** Of one that was ever active, a worker lets go what is left: mail of a run that has finished may wait for its window. */
export async function markDeleted(tx: Transaction, { tenantId, accountId }: By, journeyId: string): Promise<void> {
  await tx.run(sql`
    with gone as (
      update journey j set deleted_at = now(), updated_at = now(), updated_by = ${accountId},
        is_stopping = is_stopping or version is not null
      where ${live(tenantId, journeyId)} returning tenant_id, broadcast
    )
    ${intoCounters} select tenant_id, ${counters.journeys}, -1 from gone where broadcast is null`);
}

/** Of each kind any value; none given: all. */
export interface JourneyFilter {
  status: readonly JourneyStatus[];
  type: readonly JourneyType[];
  tag: readonly string[];
  search: string | undefined;
  /** An id of a folder, well-formed. */
  folderId: string | undefined;
  /** Only those that send this email. */
  emailId?: string | undefined;
}

type JourneySort = (typeof journeySorts)[number];
// By code points of the folded name, whatever the database's locale: the same order everywhere, and the index has it.
const orders: Record<JourneySort, Sql> = {
  '-createdAt': sql`j.created_at desc, j.journey_id desc`,
  name: sql`j.name_folded collate "C", j.journey_id`,
};

export function selectJourneys(
  db: Database,
  tenantId: number,
  filter: JourneyFilter,
  { limit, offset }: PageOf,
  sort: JourneySort = '-createdAt',
): Promise<Page<JourneyRow>> {
  const order = orders[sort];
  const matches = matchingJourneys(tenantId, filter);
  const total = conditionsOf(tenantId, filter)
    ? sql`(select count(*) from journey j where ${matches})`
    : counterValue(tenantId, counters.journeys);
  const rows = sql<JourneyRow>`
    select ${rowColumns} from (
      select * from journey j where ${matches} order by ${order} limit ${limit} offset ${offset}
    ) j ${beside} order by ${order}`;
  // Who sends an email is told from what every journey is made of.
  const isSearch = filter.search !== undefined || filter.emailId !== undefined;
  return paged(db, tenantId, { limit, offset, isSearch }, { total, rows });
}

/** Whether `j` is one of those that a filter means. Broadcasts have a collection of their own. */
export function matchingJourneys(tenantId: number, filter: JourneyFilter): Sql {
  return sql`tenant_id = ${tenantId} and deleted_at is null and broadcast is null ${conditionsOf(tenantId, filter) ?? sql``}`;
}

function conditionsOf(tenantId: number, filter: JourneyFilter): Sql | undefined {
  const { status, type, tag, folderId, emailId, search } = filter;
  const all = [
    status.length > 0 ? sql`and state = any(${status}::text[])` : undefined,
    type.length > 0 ? sql`and type = any(${type}::text[])` : undefined,
    tag.length > 0 ? sql`and tags && ${tag}::text[]` : undefined,
    folderId === undefined ? undefined : sql`and folder_id = ${bytes(folderId)}`,
    emailId === undefined ? undefined : sql`and ${sendsEmail(emailId)}`,
    search === undefined ? undefined : sql`and ${nameMatches(tenantId, search)}`,
  ].filter((condition) => condition !== undefined);
  return all.length === 0 ? undefined : all.reduce((one, next) => sql`${one} ${next}`);
}
