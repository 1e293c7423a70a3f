// Changes that wait to be evaluated, written by the transactions that make them.
import { counterOf, intoCounters } from '../../../../db/counters.js';
import type { Runner, Transaction } from '../../../../db/database.js';
import { lines, sql } from '../../../../db/sql.js';
import { productUserTable } from '../../../users/index.js';

/** How often filters of the tenant were edited; 0: there never was one. */
export async function selectVersion(tx: Runner, tenantId: number): Promise<number> {
  const row = await tx.row(sql<{ version: number }>`select version from audience where tenant_id = ${tenantId}`);
  return row?.version ?? 0;
}

export function selectLiveLists(
  tx: Runner,
  tenantId: number,
): Promise<{ listNo: number; listId: string; revision: number; filter: unknown }[]> {
  return tx.rows(sql<{ listNo: number; listId: string; revision: number; filter: unknown }>`
    select list_no as "listNo", list_id as "listId", revision, filter from dynamic_list
    where tenant_id = ${tenantId} and deleted_at is null order by list_no`);
}

/** `listNos` empty: for every list. */
export interface MarkedContact {
  contactId: string;
  listNos: readonly number[];
  orgListNos: readonly number[];
}

export interface MarkedOrg {
  orgId: string;
  listNos: readonly number[];
  orgListNos: readonly number[];
}

/** No list has this number: the contact itself need not be checked, only those in its organizations. An empty array means all lists. */
export const noList = [0];
export const arrayText = (numbers: readonly number[]) => `{${numbers.join(',')}}`;

export async function insertChanges(
  tx: Transaction,
  tenantId: number,
  marked: readonly MarkedContact[],
  now: string,
): Promise<void> {
  await tx.run(sql`
    insert into audience_change (tenant_id, contact_id, list_nos, org_list_nos, changed_at)
    select ${tenantId}, contact_id::uuid, list_nos::integer[], nullif(org_list_nos, '{}')::integer[], ${now}::timestamptz
    from rows from (string_to_table(${lines(marked.map((mark) => mark.contactId))}, E'\n'),
      string_to_table(${lines(marked.map((mark) => arrayText(mark.listNos)))}, E'\n'),
      string_to_table(${lines(marked.map((mark) => arrayText(mark.orgListNos)))}, E'\n')) as m (contact_id, list_nos, org_list_nos)`);
}

export async function insertOrgChanges(
  tx: Transaction,
  tenantId: number,
  marked: readonly MarkedOrg[],
  now: string,
): Promise<void> {
  await tx.run(sql`
    insert into audience_org_change (tenant_id, org_id, list_nos, org_list_nos, changed_at)
    select ${tenantId}, org_id, list_nos::integer[], nullif(org_list_nos, '{}')::integer[], ${now}::timestamptz
    from unnest(${marked.map((mark) => mark.orgId)}::text[], ${marked.map((mark) => arrayText(mark.listNos))}::text[],
      ${marked.map((mark) => arrayText(mark.orgListNos))}::text[]) as m (org_id, list_nos, org_list_nos)`);
}

export async function selectContactsOfUsers(
  tx: Transaction,
  tenantId: number,
  userIds: readonly string[],
): Promise<string[]> {
  const rows = await tx.rows(sql<{ contactId: string }>`
    select distinct contact_id as "contactId" from ${productUserTable}
    where tenant_id = ${tenantId} and user_id = any(${userIds}::text[])`);
  return rows.map((row) => row.contactId);
}

/** Forgets a person in every list. */
export function deleteContactFromLists(
  tx: Transaction,
  tenantId: number,
  contactId: string,
): Promise<{ listNo: number }[]> {
  return tx.rows(sql<{ listNo: number }>`
    with due as (delete from dynamic_due where tenant_id = ${tenantId} and contact_id = ${contactId}),
    gone as (delete from dynamic_member where tenant_id = ${tenantId} and contact_id = ${contactId} returning list_no),
    counted as (
      ${intoCounters}
      select ${tenantId}, ${counterOf.dynamicMembers(sql`list_no`)}, -1 from gone
    )
    select list_no as "listNo" from gone`);
}

export interface AudienceOfContact {
  listNo: number;
  dynamicListId: string;
  name: string;
  joinedAt: string;
}

/** The dynamic lists that a contact is in, deleted ones too, by number. */
export function selectAudiencesAfter(
  db: Runner,
  tenantId: number,
  contactId: string,
  after: number | undefined,
  limit: number,
): Promise<AudienceOfContact[]> {
  return db.rows(sql<AudienceOfContact>`
    select m.list_no as "listNo", l.list_id as "dynamicListId", l.name, m.joined_at as "joinedAt"
    from dynamic_member m join dynamic_list l on l.tenant_id = m.tenant_id and l.list_no = m.list_no
    where m.tenant_id = ${tenantId} and m.contact_id = ${contactId} and m.list_no > ${after ?? 0}
    order by m.list_no limit ${limit}`);
}
