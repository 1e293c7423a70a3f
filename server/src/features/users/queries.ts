import type { ProductUser } from '@rapport/contract';
import type { Static } from 'typebox';
import type { Database, Runner, Transaction } from '../../db/database.js';
import { type Page, type PageOf, paged } from '../../db/paged.js';
import { propertySample } from '../../db/samples.js';
import { lines, type Sql, sql } from '../../db/sql.js';
import { contactTable } from '../contacts/index.js';
import { memberCount, orgMembershipTable } from '../organizations/index.js';
import type { UserWrite } from './plan-writes.js';
import type { Draft, StoredUser } from './user-drafts.js';

/** Tables that features above may read. Only this feature writes them: see scripts/table-owners.js. */
export const productUserTable = sql`product_user`;

export type UserRow = Static<typeof ProductUser>;

// Columns of `u`, a product_user row, and `c`, its contact.
const columns = sql`
  u.user_id as "userId", c.email, u.contact_id as "contactId", u.properties,
  array(select m.org_id from ${orgMembershipTable} m where m.tenant_id = u.tenant_id and m.user_id = u.user_id
        order by m.membership_no) as "orgIds",
  u.created_at as "createdAt", u.updated_at as "updatedAt"`;
const usersWithContacts = sql`product_user u join ${contactTable} c on c.tenant_id = u.tenant_id and c.contact_id = u.contact_id`;

export function findUser(db: Runner, tenantId: number, userId: string): Promise<UserRow | undefined> {
  return db.row(sql<UserRow>`
    select ${columns} from ${usersWithContacts} where u.tenant_id = ${tenantId} and u.user_id = ${userId}`);
}

export function sampleOfUsers(tenantId: number, wanted: number): Sql {
  const table = { table: sql`product_user`, id: sql`user_id`, key: sql`contact_id`, keyIs: 'id' } as const;
  return propertySample(table, tenantId, wanted);
}

export function selectUsersOf(db: Runner, tenantId: number, contactId: string): Promise<UserRow[]> {
  return db.rows(sql<UserRow>`
    select ${columns} from ${usersWithContacts}
    where u.tenant_id = ${tenantId} and u.contact_id = ${contactId} order by u.user_no desc`);
}

// `limit 1` keeps this a lookup by key per row: a plan made while the tables were small joins them whole.
export function selectMembers(db: Database, tenantId: number, orgId: string, page: PageOf): Promise<Page<UserRow>> {
  const total = memberCount(tenantId, orgId);
  const rows = sql<UserRow>`
    select ${columns} from (
      select user_id, membership_no from ${orgMembershipTable} where tenant_id = ${tenantId} and org_id = ${orgId}
      order by membership_no desc limit ${page.limit} offset ${page.offset}
    ) page
    cross join lateral (select * from product_user where tenant_id = ${tenantId} and user_id = page.user_id limit 1) u
    cross join lateral (select email from ${contactTable} where tenant_id = ${tenantId} and contact_id = u.contact_id limit 1) c
    order by page.membership_no desc`;
  return paged(db, tenantId, page, { total, rows });
}

/** Keeps users from being deleted until the transaction ends. Unknown ones are left out. */
export function lockUsers(tx: Transaction, tenantId: number, userIds: readonly string[]): Promise<StoredUser[]> {
  return tx.rows(sql<StoredUser>`
    select u.* from unnest(${[...userIds].sort()}::text[]) as w (user_id) cross join lateral (
      select user_id as "userId", contact_id as "contactId", properties from product_user
      where tenant_id = ${tenantId} and user_id = w.user_id limit 1 for update
    ) u`);
}

/** The contacts of these users, in their order; an empty text for an unknown user. */
export async function findOwners(tx: Transaction, tenantId: number, userIds: readonly string[]): Promise<string[]> {
  // Lines of text are cheaper on both sides than an array; but ids may contain line breaks.
  const wanted = userIds.some((id) => id.includes('\n'))
    ? sql`unnest(${userIds}::text[])`
    : sql`string_to_table(${lines(userIds)}, E'\n')`;
  const row = await tx.row(sql<{ owners: string }>`
    select array_to_string(array(
      select coalesce((
        select contact_id::text from product_user where tenant_id = ${tenantId} and user_id = w.user_id limit 1
      ), '') from ${wanted} with ordinality as w (user_id, ord) order by ord
    ), E'\n') as owners`);
  return (row?.owners ?? '').replaceAll('-', '').split('\n');
}

export async function lockUsersOf(tx: Transaction, tenantId: number, contactId: string): Promise<string[]> {
  const rows = await tx.rows(sql<{ userId: string }>`
    select user_id as "userId" from product_user
    where tenant_id = ${tenantId} and contact_id = ${contactId} order by user_id for update`);
  return rows.map((row) => row.userId);
}

export async function insertUsers(
  tx: Transaction,
  tenantId: number,
  drafts: readonly Pick<Draft, 'userId' | 'contactId' | 'json'>[],
  now: string,
): Promise<void> {
  if (drafts.length === 0) return;
  await tx.run(sql`
    insert into product_user (tenant_id, user_id, contact_id, properties, created_at, updated_at)
    select ${tenantId}, user_id, contact_id, properties::jsonb, ${now}, ${now}
    from unnest(${drafts.map((d) => d.userId)}::text[], ${drafts.map((d) => d.contactId)}::uuid[],
      ${drafts.map((d) => d.json)}::text[]) with ordinality as d (user_id, contact_id, properties, ord)
    order by ord`);
}

export async function updateUsers(
  tx: Transaction,
  tenantId: number,
  drafts: readonly Draft[],
  now: string,
): Promise<void> {
  if (drafts.length === 0) return;
  await tx.run(sql`
    update product_user u set properties = d.properties::jsonb, updated_at = ${now}
    from unnest(${drafts.map((d) => d.userId)}::text[], ${drafts.map((d) => d.json)}::text[]) as d (user_id, properties)
    where u.tenant_id = ${tenantId} and u.user_id = d.user_id`);
}

/** Its memberships must have been removed before. */
export async function deleteUserRow(tx: Transaction, tenantId: number, userId: string): Promise<void> {
  await tx.run(sql`delete from product_user where tenant_id = ${tenantId} and user_id = ${userId}`);
}

export async function insertUserWrites(tx: Transaction, tenantId: number, writes: readonly UserWrite[]): Promise<void> {
  await tx.run(sql`
    insert into user_write (tenant_id, transaction_id, user_id, contact_id)
    select ${tenantId}, * from unnest(${writes.map((w) => w.uuid)}::uuid[], ${writes.map((w) => w.userId)}::text[],
      ${writes.map((w) => w.contactId)}::uuid[])`);
}

/** Undefined once the person is erased. */
export async function findWrittenUser(db: Runner, tenantId: number, uuid: string): Promise<string | undefined> {
  const row = await db.row(sql<{ userId: string }>`
    select user_id as "userId" from user_write where tenant_id = ${tenantId} and transaction_id = ${uuid}`);
  return row?.userId;
}

export async function forgetWritesOf(tx: Transaction, tenantId: number, contactId: string): Promise<void> {
  await tx.run(sql`delete from user_write where tenant_id = ${tenantId} and contact_id = ${contactId}`);
}

export async function forgetWrites(tx: Transaction, tenantId: number, uuids: readonly string[]): Promise<void> {
  await tx.run(sql`delete from user_write where tenant_id = ${tenantId} and transaction_id = any(${uuids}::uuid[])`);
}

/** When this transaction began, by the database's clock. */
export async function readTime(tx: Transaction): Promise<string> {
  const row = await tx.row(sql<{ now: string }>`select now() as now`);
  return row?.now as string;
}

export interface UserOfContact extends Pick<UserRow, 'userId' | 'properties' | 'createdAt' | 'updatedAt'> {
  userNo: number;
}

/** The users of a contact, oldest first. */
export function selectUsersAfter(
  db: Runner,
  tenantId: number,
  contactId: string,
  after: number | undefined,
  limit: number,
): Promise<UserOfContact[]> {
  return db.rows(sql<UserOfContact>`
    select user_no as "userNo", user_id as "userId", properties, created_at as "createdAt", updated_at as "updatedAt"
    from product_user where tenant_id = ${tenantId} and contact_id = ${contactId} and user_no > ${after ?? 0}
    order by user_no limit ${limit}`);
}

/** Writes whose results name a user of a contact, by id. */
export function selectWritesAfter(
  db: Runner,
  tenantId: number,
  contactId: string,
  after: string | undefined,
  limit: number,
): Promise<{ uuid: string; userId: string }[]> {
  return db.rows(sql<{ uuid: string; userId: string }>`
    select transaction_id as uuid, user_id as "userId" from user_write
    where tenant_id = ${tenantId} and contact_id = ${contactId} and transaction_id > ${after ?? '0'.repeat(32)}::uuid
    order by transaction_id limit ${limit}`);
}
