import type { DynamicListMember, ListMembership } from '@rapport/contract';
import type { Static } from 'typebox';
import { counterOf, counters, counterValue } from '../../../db/counters.js';
import type { Database, Runner } from '../../../db/database.js';
import { type Page, type PageOf, paged, pageReader, unwrapPage } from '../../../db/paged.js';
import { bytes, type Sql, sql } from '../../../db/sql.js';
import { contactTable } from '../../contacts/index.js';
import {
  type GrowingList,
  intoDays,
  type ListPlace,
  lacksToday,
  memberColumns,
  type SizeNow,
  sizesAfter,
  staticMembers,
  staticMemberships,
  today,
} from '../../lists/index.js';

type MemberRow = Static<typeof DynamicListMember>;
type MembershipRow = Static<typeof ListMembership>;

/** Nothing if there is no such live list; else its size and a page of members, the last joined first. */
export async function selectMembers(
  db: Database,
  tenantId: number,
  listId: string,
  page: PageOf,
): Promise<Page<MemberRow> | undefined> {
  const found = await pageReader(db, tenantId, page).rows(sql<MemberRow & { total: number }>`
    select ${counterValue(tenantId, counterOf.dynamicMembers(sql`l.list_no`))} as total, m.*
    from dynamic_list l left join lateral (
      select ${memberColumns}, page.joined_at as "joinedAt" from (
        select contact_id, joined_at from dynamic_member where tenant_id = ${tenantId} and list_no = l.list_no
        order by joined_at desc, contact_id desc limit ${page.limit} offset ${page.offset}
      ) page join ${contactTable} c on c.tenant_id = ${tenantId} and c.contact_id = page.contact_id
      order by page.joined_at desc, page.contact_id desc
    ) m on true
    where l.tenant_id = ${tenantId} and l.list_id = ${bytes(listId)} and l.deleted_at is null`);
  return found.length === 0 ? undefined : unwrapPage(found);
}

/** The live lists that a contact is in, of both kinds: the last joined first. */
export function selectMemberships(
  db: Database,
  tenantId: number,
  contactId: string,
  page: PageOf,
): Promise<Page<MembershipRow>> {
  const both = sql`
    select 'static' as type, s.* from (${staticMemberships(tenantId, contactId)}) s
    union all
    select 'dynamic', l.list_id, l.name, m.joined_at
    from dynamic_member m join dynamic_list l on l.tenant_id = m.tenant_id and l.list_no = m.list_no
    where m.tenant_id = ${tenantId} and m.contact_id = ${contactId} and l.deleted_at is null`;
  const total = sql`(select count(*) from (${both}) b)`;
  const rows = sql<MembershipRow>`
    select b.type, b.list_id as id, b.name, b.joined_at as "joinedAt" from (${both}) b
    order by b.joined_at desc, b.list_id desc limit ${page.limit} offset ${page.offset}`;
  return paged(db, tenantId, page, { total, rows });
}

/** Whether a contact is in a list; of no list it is not. */
export function isMemberSql(tenantId: number, listNo: number | null, contactId: string): Sql {
  return sql`exists (
    select from dynamic_member m
    where m.tenant_id = ${tenantId} and m.list_no = ${listNo}::integer and m.contact_id = ${contactId})`;
}

/** A list of either kind. */
export type ListRef = { readonly staticListId: string } | { readonly dynamicListId: string };

/**
 * The members of a list that is not deleted at the moment of the statement, as a query with a column contact_id. `since`: only those who
 * joined at this time or later.
 */
export function membersSql(tenantId: number, list: ListRef, since?: string): Sql {
  if ('staticListId' in list) return staticMembers(tenantId, list.staticListId, since);
  return sql`
    select m.contact_id from dynamic_list l join dynamic_member m on m.tenant_id = l.tenant_id and m.list_no = l.list_no
    where l.tenant_id = ${tenantId} and l.list_id = ${bytes(list.dynamicListId)} and l.deleted_at is null
      ${since === undefined ? sql`` : sql`and m.joined_at >= ${since}::timestamptz`}`;
}

/** A dynamic list as something that grows; undefined if there is none. */
export async function findGrowing(db: Runner, tenantId: number, listId: string): Promise<GrowingList | undefined> {
  const list = await db.row(sql<{ listNo: number }>`
    select list_no as "listNo" from dynamic_list
    where tenant_id = ${tenantId} and list_id = ${bytes(listId)} and deleted_at is null`);
  return (
    list && {
      listId,
      members: sql`
        select contact_id, joined_at from dynamic_member where tenant_id = ${tenantId} and list_no = ${list.listNo}`,
      size: counterValue(tenantId, counters.dynamicMembers(list.listNo)),
    }
  );
}

/** Keeps the size of some lists that have none of today; not of those that are being built. Returns how many. */
export function keepDynamicSizes(db: Runner, atMost: number): Promise<number> {
  const size = counterValue(sql`l.tenant_id`, counterOf.dynamicMembers(sql`l.list_no`));
  return db.run(sql`
    /* all tenants */ ${intoDays} select l.tenant_id, l.list_id, ${today}, ${size}
    from dynamic_list l where l.deleted_at is null and l.is_built and ${lacksToday} limit ${atMost}
    on conflict do nothing`);
}

/**
 * Some live lists of all tenants beside what they had a day before; not those that are made for a journey. Their size is not known while
 * they are built.
 */
export function selectDynamicSizes(db: Runner, after: ListPlace, least: number, atMost: number): Promise<SizeNow[]> {
  const size = sql`
    case when l.is_built then ${counterValue(sql`l.tenant_id`, counterOf.dynamicMembers(sql`l.list_no`))} end`;
  const lists = sql`
    select tenant_id, list_id, list_no, is_built from dynamic_list where deleted_at is null and journey_id is null`;
  return db.rows(sql<SizeNow>`/* all tenants */ ${sizesAfter(lists, size, after, least, atMost)}`);
}

/** Since when a contact is a member of a list, if it is one. */
export async function findJoined(
  db: Runner,
  tenantId: number,
  list: ListRef,
  contactId: string,
): Promise<string | undefined> {
  const statement =
    'staticListId' in list
      ? sql<{ at: string }>`
          select joined_at as at from (${staticMemberships(tenantId, contactId)}) m where m.list_id = ${bytes(list.staticListId)}`
      : sql<{ at: string }>`
          select m.joined_at as at from dynamic_list l
          join dynamic_member m on m.tenant_id = l.tenant_id and m.list_no = l.list_no and m.contact_id = ${contactId}
          where l.tenant_id = ${tenantId} and l.list_id = ${bytes(list.dynamicListId)} and l.deleted_at is null`;
  return (await db.row(statement))?.at;
}

/** Whether membersSql() is complete: not while a dynamic list is being built. A list that is gone has no members, which is complete. */
export async function hasAllMembers(db: Runner, tenantId: number, list: ListRef): Promise<boolean> {
  if ('staticListId' in list) return true;
  const building = await db.row(sql`
    select 1 from dynamic_list where tenant_id = ${tenantId} and list_id = ${bytes(list.dynamicListId)}
      and not is_built and deleted_at is null`);
  return building === undefined;
}
