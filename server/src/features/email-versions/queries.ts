import type { EmailVersion } from '@rapport/contract';
import type { Static } from 'typebox';
import { counterDeltas, counterOf, counters, counterValue, intoCounters } from '../../db/counters.js';
import type { Database, Runner, Transaction } from '../../db/database.js';
import { type Page, type PageOf, paged, pageReader, unwrapPage } from '../../db/paged.js';
import { bytes, type Sql, sql } from '../../db/sql.js';
import { contactsFound, contactTable } from '../contacts/index.js';
import { emailTable } from '../emails/index.js';

export type VersionRow = Static<typeof EmailVersion>;

/** Counts an asset's versions: there may be a million. */
const ofVersions = counterOf.emailVersions(sql`email_id`);

export interface NewVersion {
  assetId: string;
  contactId: string;
  subject: string | null;
  preheader: string | null;
  html: string;
  expiresAt: string | null;
}

/**
 * Stores versions, at most one per contact and asset. Returns the new ones, as `asset:contact`. Rows are locked in key order, so that two
 * callers cannot deadlock.
 */
export async function upsertVersions(
  tx: Transaction,
  tenantId: number,
  versions: readonly NewVersion[],
): Promise<Set<string>> {
  if (versions.length === 0) return new Set();
  const rows = await tx.rows(sql<{ key: string }>`
    with stored as (
      insert into email_version as v (tenant_id, email_id, contact_id, subject, preheader, html, expires_at)
      select ${tenantId}, email_id, contact_id, subject, preheader, html, expires_at
      from unnest(${versions.map((v) => bytes(v.assetId))}::bytea[], ${versions.map((v) => v.contactId)}::uuid[],
        ${versions.map((v) => v.subject)}::text[], ${versions.map((v) => v.preheader)}::text[],
        ${versions.map((v) => v.html)}::text[], ${versions.map((v) => v.expiresAt)}::timestamptz[])
        as g (email_id, contact_id, subject, preheader, html, expires_at)
      order by email_id, contact_id
      on conflict (tenant_id, email_id, contact_id) do update set subject = excluded.subject,
        preheader = excluded.preheader, html = excluded.html, expires_at = excluded.expires_at, updated_at = now()
      -- Only a row that was not there before has no deleter.
      returning v.email_id, v.contact_id, v.xmax = 0 as is_new
    ), counted as (
      ${intoCounters}
      select ${tenantId}, ${ofVersions}, count(*) from stored where is_new group by email_id
    )
    select encode(email_id, 'hex') || ':' || replace(contact_id::text, '-', '') as key from stored where is_new`);
  return new Set(rows.map((row) => row.key));
}

export interface StoredVersion {
  subject: string | null;
  preheader: string | null;
  html: string;
  expiresAt: string | null;
}

export function findVersion(
  db: Runner,
  tenantId: number,
  assetId: string,
  contactId: string,
): Promise<StoredVersion | undefined> {
  return db.row(sql<StoredVersion>`
    select subject, preheader, html, expires_at as "expiresAt" from email_version
    where tenant_id = ${tenantId} and email_id = ${bytes(assetId)} and contact_id = ${contactId}`);
}

/** The versions of emails for contacts, by `email:contact`. One lookup per key, whatever the planner knows. */
export async function selectVersionsOf(
  db: Runner,
  tenantId: number,
  keys: readonly { emailId: string; contactId: string }[],
): Promise<Map<string, StoredVersion>> {
  if (keys.length === 0) return new Map();
  const rows = await db.rows(sql<StoredVersion & { key: string }>`
    select encode(w.email_id, 'hex') || ':' || replace(w.contact_id::text, '-', '') as key, v.*
    from unnest(${keys.map((k) => bytes(k.emailId))}::bytea[], ${keys.map((k) => k.contactId)}::uuid[]) as w (email_id, contact_id)
    cross join lateral (
      select subject, preheader, html, expires_at as "expiresAt" from email_version
      where tenant_id = ${tenantId} and email_id = w.email_id and contact_id = w.contact_id limit 1
    ) v`);
  return new Map(rows.map(({ key, ...version }) => [key, version]));
}

interface VersionFilter {
  /** Of a live email. */
  assetId: string | undefined;
  contactId: string | undefined;
  /** Part of the email or the name of a contact. */
  search: string | undefined;
  /** The time that decides what is expired. */
  now: string;
}

/** Newest first, of live emails. With both keys, the html too. */
export function selectVersions(
  db: Database,
  tenantId: number,
  { assetId, contactId, search, now }: VersionFilter,
  { limit, offset }: PageOf,
): Promise<Page<VersionRow>> {
  const ofAsset = assetId === undefined ? sql`` : sql`and email_id = ${bytes(assetId)}`;
  const ofContact = contactId === undefined ? sql`` : sql`and contact_id = ${contactId}`;
  const isLive = sql`exists (select from ${emailTable} e
    where e.tenant_id = w.tenant_id and e.email_id = w.email_id and e.deleted_at is null)`;
  const live = assetId === undefined ? sql`and ${isLive}` : sql``;
  const matches = sql`w.tenant_id = ${tenantId} ${ofAsset} ${ofContact} ${live}`;
  const html = assetId !== undefined && contactId !== undefined ? sql`, v.html` : sql``;
  const page = sql`order by created_at desc, email_id desc, contact_id desc limit ${limit} offset ${offset}`;
  const shown = (some: Sql) => sql<VersionRow>`
    select v.email_id as "assetId", c.email, v.contact_id as "contactId", v.subject, v.preheader,
      case when v.expires_at < ${now} then 'expired' else 'ready' end as status, v.expires_at as "expiresAt",
      v.created_at as "createdAt", v.updated_at as "updatedAt" ${html}
    from (${some}) v join ${contactTable} c on c.tenant_id = ${tenantId} and c.contact_id = v.contact_id
    order by v.created_at desc, v.email_id desc, v.contact_id desc`;
  if (search !== undefined) return selectFound(db, tenantId, { matches, search, page, shown }, { limit, offset });
  const total =
    contactId === undefined
      ? keptTotal(tenantId, assetId)
      : sql`(select count(*) from email_version w where ${matches})`;
  const rows = shown(sql`select * from email_version w where ${matches} ${page}`);
  // It has a join: a plan that was made while the tables were small would read them whole.
  return paged(db, tenantId, { limit, offset, isSearch: true }, { total, rows });
}

/**
 * The versions of contacts that a search finds, searched once for both the total and the page. By itself the planner looked up the contact of
 * each version in order of time: 4.3 s instead of 0.15 s for two letters that none of 100,000 contacts has.
 */
async function selectFound(
  db: Database,
  tenantId: number,
  { matches, search, page, shown }: { matches: Sql; search: string; page: Sql; shown: (some: Sql) => Sql<VersionRow> },
  { limit, offset }: PageOf,
): Promise<Page<VersionRow>> {
  const rows = shown(sql`
    select v.* from (select * from hit ${page}) h
    join email_version v on v.tenant_id = ${tenantId} and v.email_id = h.email_id and v.contact_id = h.contact_id`);
  const found = await pageReader(db, tenantId, { limit, offset, isSearch: true }).rows(sql<
    VersionRow & { total: number }
  >`
    with hit as materialized (
      select w.email_id, w.contact_id, w.created_at from email_version w
      where ${matches} and w.contact_id in (${contactsFound(tenantId, search)})
    )
    select t.total, p.* from (select count(*) as total from hit) t left join lateral (${rows}) p on true`);
  return unwrapPage(found);
}

/** For one email or for all. */
function keptTotal(tenantId: number, assetId: string | undefined): Sql {
  if (assetId !== undefined) return counterValue(tenantId, counters.emailVersions(assetId));
  return sql`(select coalesce(sum(c.delta), 0)::int8 from ${emailTable} e join ${counterDeltas} c
    on c.tenant_id = e.tenant_id and c.counter = ${counterOf.emailVersions(sql`e.email_id`)}
    where e.tenant_id = ${tenantId} and e.deleted_at is null)`;
}

/** Returns whether there was one. */
export async function deleteVersionRow(
  tx: Transaction,
  tenantId: number,
  assetId: string,
  contactId: string,
): Promise<boolean> {
  const row = await tx.row(sql<{ gone: number }>`
    with gone as (
      delete from email_version
      where tenant_id = ${tenantId} and email_id = ${bytes(assetId)} and contact_id = ${contactId} returning email_id
    ), counted as (
      ${intoCounters} select ${tenantId}, ${ofVersions}, -1 from gone
    )
    select count(*) as gone from gone`);
  return row?.gone === 1;
}

export async function deleteVersionsOf(tx: Transaction, tenantId: number, contactId: string): Promise<void> {
  await tx.run(sql`
    with gone as (
      delete from email_version where tenant_id = ${tenantId} and contact_id = ${contactId} returning email_id
    )
    ${intoCounters} select ${tenantId}, ${ofVersions}, -1 from gone`);
}

interface VersionOfContact extends StoredVersion {
  assetId: string;
  createdAt: string;
  updatedAt: string;
}

/** The versions for a contact, by asset. */
export function selectVersionsAfter(
  db: Runner,
  tenantId: number,
  contactId: string,
  after: string | undefined,
  limit: number,
): Promise<VersionOfContact[]> {
  return db.rows(sql<VersionOfContact>`
    select email_id as "assetId", subject, preheader, html, expires_at as "expiresAt", created_at as "createdAt",
      updated_at as "updatedAt"
    from email_version where tenant_id = ${tenantId} and contact_id = ${contactId} and email_id > ${bytes(after ?? '')}::bytea
    order by email_id limit ${limit}`);
}
