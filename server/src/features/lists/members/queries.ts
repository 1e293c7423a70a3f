import { counterOf, counters, counterValue, intoCounters } from '../../../db/counters.js';
import type { Database, Runner, Transaction } from '../../../db/database.js';
import { type Page, type PageOf, pageReader, unwrapPage } from '../../../db/paged.js';
import { bytes, type Sql, sql } from '../../../db/sql.js';
import { contactTable } from '../../contacts/index.js';

export interface MemberRow {
  contactId: string;
  email: string;
  firstName: string | null;
  lastName: string | null;
  companyName: string | null;
  phoneNumber: string | null;
  title: string | null;
}

/** Columns of `c`, the contact that is a member. */
export const memberColumns = sql`
  c.contact_id as "contactId", c.email, c.properties ->> 'first_name' as "firstName",
  c.properties ->> 'last_name' as "lastName", c.properties ->> 'company_name' as "companyName",
  c.properties ->> 'phone_number' as "phoneNumber", c.properties ->> 'title' as title`;

/** The live static lists that a contact is in, as a query: list_id, name, joined_at. */
export function staticMemberships(tenantId: number, contactId: string): Sql {
  return sql`
    select l.list_id, l.name, m.added_at as joined_at
    from list_member m join static_list l on l.tenant_id = m.tenant_id and l.list_id = m.list_id
    where m.tenant_id = ${tenantId} and m.contact_id = ${contactId} and l.deleted_at is null`;
}

interface Membership {
  staticListId: string;
  name: string;
  addedAt: string;
}

/** The lists that a contact is in, by id. */
export function selectMembershipsAfter(
  db: Runner,
  tenantId: number,
  contactId: string,
  after: string | undefined,
  limit: number,
): Promise<Membership[]> {
  return db.rows(sql<Membership>`
    select l.list_id as "staticListId", l.name, m.added_at as "addedAt"
    from list_member m join static_list l on l.tenant_id = m.tenant_id and l.list_id = m.list_id
    where m.tenant_id = ${tenantId} and m.contact_id = ${contactId} and m.list_id > ${bytes(after ?? '')}::bytea
    order by m.list_id limit ${limit}`);
}

/** The members of a live static list, as a query: contact_id. */
export function staticMembers(tenantId: number, listId: string, since?: string): Sql {
  return sql`
    select m.contact_id from static_list l join list_member m on m.tenant_id = l.tenant_id and m.list_id = l.list_id
    where l.tenant_id = ${tenantId} and l.list_id = ${bytes(listId)} and l.deleted_at is null
      ${since === undefined ? sql`` : sql`and m.added_at >= ${since}::timestamptz`}`;
}

/** Undefined if there is no such live list; else its size and a page of members. */
export async function selectMembers(
  db: Database,
  tenantId: number,
  listId: string,
  page: PageOf,
): Promise<Page<MemberRow> | undefined> {
  const found = await pageReader(db, tenantId, page).rows(sql<MemberRow & { total: number }>`
    select ${counterValue(tenantId, counters.listMembers(listId))} as total, m.*
    from static_list l left join lateral (
      select ${memberColumns} from (
        select contact_id from list_member where tenant_id = ${tenantId} and list_id = ${bytes(listId)}
        order by contact_id limit ${page.limit} offset ${page.offset}
      ) page join ${contactTable} c on c.tenant_id = ${tenantId} and c.contact_id = page.contact_id
      order by c.contact_id
    ) m on true
    where l.tenant_id = ${tenantId} and l.list_id = ${bytes(listId)} and l.deleted_at is null`);
  return found.length === 0 ? undefined : unwrapPage(found);
}

/** Keeps the list from being deleted until the transaction ends. Returns whether it exists. */
export async function holdList(tx: Transaction, tenantId: number, listId: string): Promise<boolean> {
  const row = await tx.row(sql`
    select 1 from static_list where tenant_id = ${tenantId} and list_id = ${bytes(listId)} and deleted_at is null
    for key share`);
  return row !== undefined;
}

/** Those of the lists that exist. In key order, so that two callers cannot deadlock. */
export async function holdLists(
  tx: Transaction,
  tenantId: number,
  listIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.rows(sql<{ listId: string }>`
    select list_id as "listId" from static_list
    where tenant_id = ${tenantId} and list_id = any(${listIds.map(bytes)}::bytea[]) and deleted_at is null
    order by list_id for key share`);
  return new Set(rows.map(({ listId }) => listId));
}

/** Adds those ids that are contacts. Rows are locked in key order, so that two callers cannot deadlock. */
export async function insertMembers(
  tx: Transaction,
  tenantId: number,
  listId: string,
  contactIds: readonly string[],
): Promise<{ added: string[]; known: string[]; now: string }> {
  const row = await tx.row(sql<{ added: string[] | null; known: string[] | null; now: string }>`
    with known as materialized (
      select contact_id from ${contactTable} where tenant_id = ${tenantId} and contact_id = any(${contactIds}::uuid[])
      order by contact_id for key share
    ), added as (
      insert into list_member (tenant_id, list_id, contact_id)
      select ${tenantId}, ${bytes(listId)}, contact_id from known order by contact_id
      on conflict do nothing returning contact_id
    ), counted as (
      ${intoCounters}
      select ${tenantId}, ${counters.listMembers(listId)}, count(*) from added having count(*) > 0
    )
    select (select array_agg(replace(contact_id::text, '-', '')) from added) as added,
      (select array_agg(replace(contact_id::text, '-', '')) from known) as known, now() as now`);
  return { added: row?.added ?? [], known: row?.known ?? [], now: row?.now as string };
}

/**
 * The head of a statement that keeps who left a list of either kind: what follows selects tenant_id, list_id, contact_id and left_at. Ends with
 * departureKept.
 */
export const intoDepartures = sql`insert into list_departure as d (tenant_id, list_id, contact_id, left_at)`;
export const departureKept = sql`
  on conflict (tenant_id, list_id, contact_id) do update set left_at = greatest(d.left_at, excluded.left_at)`;

/** Keeps that the members of `gone` left. */
const departures = sql`
  ${intoDepartures} select tenant_id, list_id, contact_id, now() from gone order by contact_id ${departureKept}`;

/** Returns when it joined, if it was a member. */
export async function deleteMember(
  tx: Transaction,
  tenantId: number,
  listId: string,
  contactId: string,
): Promise<string | undefined> {
  const row = await tx.row(sql<{ now: string }>`
    with gone as (
      delete from list_member where tenant_id = ${tenantId} and list_id = ${bytes(listId)} and contact_id = ${contactId}
      returning tenant_id, list_id, contact_id
    ), counted as (
      ${intoCounters} select tenant_id, ${counters.listMembers(listId)}, -1 from gone
    ), kept as (${departures})
    select now() as now from gone`);
  return row?.now;
}

/** Returns those that were members. */
export async function deleteMembers(
  tx: Transaction,
  tenantId: number,
  listId: string,
  contactIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.rows(sql<{ contactId: string }>`
    with gone as (
      delete from list_member where tenant_id = ${tenantId} and list_id = ${bytes(listId)} and contact_id = any(${contactIds}::uuid[])
      returning tenant_id, list_id, contact_id
    ), counted as (
      ${intoCounters}
      select ${tenantId}, ${counters.listMembers(listId)}, -count(*) from gone having count(*) > 0
    ), kept as (${departures})
    select contact_id as "contactId" from gone`);
  return rows.map((row) => row.contactId);
}

/** Removes a person from every list, deleted ones too. Returns which. */
export async function deleteMemberships(tx: Transaction, tenantId: number, contactId: string): Promise<string[]> {
  const rows = await tx.rows(sql<{ listId: string }>`
    with gone as (
      delete from list_member where tenant_id = ${tenantId} and contact_id = ${contactId} returning list_id
    ), counted as (
      ${intoCounters}
      select ${tenantId}, ${counterOf.listMembers(sql`list_id`)}, -1 from gone
    )
    select list_id as "listId" from gone`);
  return rows.map((row) => row.listId);
}
