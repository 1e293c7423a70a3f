import type { Organization } from '@rapport/contract';
import type { Static } from 'typebox';
import { counters, counterValue, intoCounters } from '../../db/counters.js';
import type { Database, Runner, Transaction } from '../../db/database.js';
import { type Page, type PageOf, paged } from '../../db/paged.js';
import { propertySample } from '../../db/samples.js';
import { type Sql, sql } from '../../db/sql.js';
import { foldCase } from '../../lib/text.js';

/** Tables that features above may read. Only this feature writes them: see scripts/table-owners.js. */
export const orgMembershipTable = sql`org_membership`;

export type OrganizationRow = Static<typeof Organization>;

const columns = sql`org_id as "orgId", name, properties, created_at as "createdAt", updated_at as "updatedAt"`;
const counter = counters.organizations;

interface NewOrganization {
  orgId: string;
  name: string;
  /** JSON. */
  properties: string;
}

/** Returns nothing when the id is taken. */
export function insertOrganization(
  tx: Transaction,
  tenantId: number,
  { orgId, name, properties }: NewOrganization,
): Promise<OrganizationRow | undefined> {
  return tx.row(sql<OrganizationRow>`
    with made as (
      insert into organization (tenant_id, org_id, name, search_text, properties)
      values (${tenantId}, ${orgId}, ${name}, ${searchText({ orgId, name })}, ${properties}::jsonb)
      on conflict (tenant_id, org_id) do nothing returning *
    ), counted as (
      ${intoCounters} select tenant_id, ${counter}, 1 from made
    )
    select ${columns} from made`);
}

export function findOrganization(db: Runner, tenantId: number, orgId: string): Promise<OrganizationRow | undefined> {
  return db.row(sql<OrganizationRow>`
    select ${columns} from organization where tenant_id = ${tenantId} and org_id = ${orgId}`);
}

/** Locks it, so that two changes of one organization follow each other, and neither merges into what the other has replaced. */
export function lockOrganization(
  tx: Transaction,
  tenantId: number,
  orgId: string,
): Promise<OrganizationRow | undefined> {
  return tx.row(sql<OrganizationRow>`
    select ${columns} from organization where tenant_id = ${tenantId} and org_id = ${orgId} for update`);
}

/** The existing organizations among these, locked in the order of their ids. */
export function lockOrganizations(
  tx: Transaction,
  tenantId: number,
  orgIds: readonly string[],
): Promise<Pick<OrganizationRow, 'orgId' | 'name' | 'properties'>[]> {
  return tx.rows(sql<Pick<OrganizationRow, 'orgId' | 'name' | 'properties'>>`
    select o.* from unnest(${[...orgIds].sort()}::text[]) as w (org_id) cross join lateral (
      select org_id as "orgId", name, properties from organization
      where tenant_id = ${tenantId} and org_id = w.org_id limit 1 for update
    ) o`);
}

/** Returns how many were added: those whose id is taken are not. */
export async function insertOrganizations(
  tx: Transaction,
  tenantId: number,
  drafts: readonly NewOrganization[],
  now: string,
): Promise<number> {
  const row = await tx.row(sql<{ made: number }>`
    with made as (
      insert into organization (tenant_id, org_id, name, search_text, properties, created_at, updated_at)
      select ${tenantId}, org_id, name, search_text, properties::jsonb, ${now}, ${now} from ${rowsOf(drafts)} order by org_id
      on conflict (tenant_id, org_id) do nothing returning 1
    ), counted as (
      ${intoCounters} select ${tenantId}, ${counter}, count(*) from made
    )
    select count(*) as made from made`);
  return row?.made ?? 0;
}

export async function updateOrganizations(
  tx: Transaction,
  tenantId: number,
  drafts: readonly NewOrganization[],
  now: string,
): Promise<void> {
  await tx.run(sql`
    update organization o set name = d.name, search_text = d.search_text, properties = d.properties::jsonb, updated_at = ${now} from ${rowsOf(drafts)}
    where o.tenant_id = ${tenantId} and o.org_id = d.org_id`);
}

function rowsOf(drafts: readonly NewOrganization[]): Sql {
  return sql`unnest(${drafts.map((d) => d.orgId)}::text[], ${drafts.map((d) => d.name)}::text[],
    ${drafts.map(searchText)}::text[], ${drafts.map((d) => d.properties)}::text[]) as d (org_id, name, search_text, properties)`;
}

export function updateOrganizationRow(
  tx: Transaction,
  tenantId: number,
  { orgId, name, properties }: NewOrganization,
): Promise<OrganizationRow | undefined> {
  return tx.row(sql<OrganizationRow>`
    update organization set name = ${name}, search_text = ${searchText({ orgId, name })}, properties = ${properties}::jsonb,
      updated_at = now()
    where tenant_id = ${tenantId} and org_id = ${orgId} returning ${columns}`);
}

/** The text used for searching and sorting. A tab keeps a match from running from the name into the id. */
function searchText({ orgId, name }: { orgId: string; name: string }): string {
  return foldCase(`${name}\t${orgId}`);
}

export function selectOrganizations(
  db: Database,
  tenantId: number,
  { search, sort = '-createdAt' }: { search: string | undefined; sort: 'name' | '-createdAt' | undefined },
  page: PageOf,
): Promise<Page<OrganizationRow>> {
  // Names that are not folded yet are folded by the database, which may not know every letter.
  const text = sql`coalesce(search_text, lower(name || E'\t' || org_id))`;
  const found = search === undefined ? sql`true` : sql`position(${foldCase(search)} in ${text}) > 0`;
  const own = sql`organization where tenant_id = ${tenantId} and ${found}`;
  const total = search === undefined ? counterValue(tenantId, counter) : sql`(select count(*) from ${own})`;
  const order = sort === 'name' ? sql`left(search_text, 100) collate "C", org_id` : sql`created_at desc, org_id desc`;
  const rows = sql<OrganizationRow>`
    select ${columns} from ${own} order by ${order} limit ${page.limit} offset ${page.offset}`;
  return paged(db, tenantId, { ...page, isSearch: search !== undefined, isFat: true }, { total, rows });
}

/** Folds those that were stored before there were searches, a limited number at a time. Returns how many. */
export async function foldOrganizations(tx: Transaction, atMost: number): Promise<number> {
  const rows = await tx.rows(sql<{ tenantId: number; orgId: string; name: string }>`
    /* all tenants */ select tenant_id as "tenantId", org_id as "orgId", name from organization where search_text is null
    order by tenant_id, org_id limit ${atMost} for update skip locked`);
  await tx.run(sql`
    update organization o set search_text = f.search_text
    from unnest(${rows.map((r) => r.tenantId)}::bigint[], ${rows.map((r) => r.orgId)}::text[], ${rows.map(searchText)}::text[])
      as f (tenant_id, org_id, search_text)
    where o.tenant_id = f.tenant_id and o.org_id = f.org_id`);
  return rows.length;
}

export function sampleOfOrganizations(tenantId: number, wanted: number): Sql {
  const table = { table: sql`organization`, id: sql`org_id`, key: sql`created_at`, keyIs: 'time' } as const;
  return propertySample(table, tenantId, wanted);
}

/** The ids that are neither an organization nor named by a membership. A scalar subquery, so that it never becomes a join. */
export async function selectUnknown(db: Runner, tenantId: number, orgIds: readonly string[]): Promise<string[]> {
  const rows = await db.rows(sql<{ orgId: string }>`
    select w.org_id as "orgId" from unnest(${orgIds}::text[]) with ordinality as w (org_id, ord)
    where (select 1 from organization o where o.tenant_id = ${tenantId} and o.org_id = w.org_id) is null
      and (select 1 from org_membership m where m.tenant_id = ${tenantId} and m.org_id = w.org_id limit 1) is null
    order by ord`);
  return rows.map((row) => row.orgId);
}

export interface Membership {
  orgId: string;
  userId: string;
}

/** The existing memberships among these. */
export function selectMemberships(
  tx: Transaction,
  tenantId: number,
  wanted: readonly Membership[],
): Promise<Membership[]> {
  return tx.rows(sql<Membership>`
    select m.org_id as "orgId", m.user_id as "userId" from org_membership m
    join unnest(${wanted.map((w) => w.orgId)}::text[], ${wanted.map((w) => w.userId)}::text[]) as w (org_id, user_id)
      on m.tenant_id = ${tenantId} and m.org_id = w.org_id and m.user_id = w.user_id`);
}

export async function insertMemberships(
  tx: Transaction,
  tenantId: number,
  joined: readonly Membership[],
  now: string,
): Promise<void> {
  await tx.run(sql`
    with added as (
      insert into org_membership (tenant_id, org_id, user_id, created_at)
      select ${tenantId}, org_id, user_id, ${now}
      from unnest(${joined.map((m) => m.orgId)}::text[], ${joined.map((m) => m.userId)}::text[])
        with ordinality as j (org_id, user_id, ord)
      order by ord returning org_id
    )
    ${count(tenantId, sql`added`, 1)}`);
}

/** Returns when it began, if it existed. */
export async function deleteMembership(
  tx: Transaction,
  tenantId: number,
  { orgId, userId }: Membership,
): Promise<string | undefined> {
  const row = await tx.row(sql<{ now: string }>`
    with gone as (
      delete from org_membership where tenant_id = ${tenantId} and org_id = ${orgId} and user_id = ${userId} returning org_id
    ), counted as (${count(tenantId, sql`gone`, -1)})
    select now() as now from gone`);
  return row?.now;
}

/** Returns the organizations that the user was in. */
export async function deleteMembershipsOf(tx: Transaction, tenantId: number, userId: string): Promise<string[]> {
  const rows = await tx.rows(sql<{ orgId: string }>`
    with gone as (
      delete from org_membership where tenant_id = ${tenantId} and user_id = ${userId} returning org_id
    ), counted as (${count(tenantId, sql`gone`, -1)})
    select org_id as "orgId" from gone`);
  return rows.map((row) => row.orgId);
}

function count(tenantId: number, touched: Sql, sign: 1 | -1): Sql {
  return sql`
    ${intoCounters}
    select ${tenantId}, ${counters.organizationMembers('')} || org_id, ${sign} * count(*) from ${touched} group by org_id order by org_id`;
}

/** How many members an organization has, as an expression inside another statement. */
export function memberCount(tenantId: number, orgId: string): Sql {
  return counterValue(tenantId, counters.organizationMembers(orgId));
}

export interface OrganizationOfUser {
  membershipNo: number;
  orgId: string;
  name: string | null;
  joinedAt: string;
}

/** The organizations of a user, in the order in which the user joined them. */
export function selectOrganizationsOf(
  db: Runner,
  tenantId: number,
  userId: string,
  after: number | undefined,
  limit: number,
): Promise<OrganizationOfUser[]> {
  return db.rows(sql<OrganizationOfUser>`
    select m.membership_no as "membershipNo", m.org_id as "orgId", o.name, m.created_at as "joinedAt"
    from org_membership m left join organization o on o.tenant_id = m.tenant_id and o.org_id = m.org_id
    where m.tenant_id = ${tenantId} and m.user_id = ${userId} and m.membership_no > ${after ?? 0}
    order by m.membership_no limit ${limit}`);
}
