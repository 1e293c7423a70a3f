import { counters, counterValue, intoCounters } from '../../db/counters.js';
import type { Database, Runner, Transaction } from '../../db/database.js';
import { type Page, type PageOf, paged } from '../../db/paged.js';
import { propertySample } from '../../db/samples.js';
import { lines, type Sql, sql } from '../../db/sql.js';
import type { Draft, Logged, StoredContact } from './plan-writes.js';
import type { Properties } from './properties.js';
import { type ContactSort, forgetInSearch, queueForSearch } from './search/queries.js';
import { searchText } from './search/text.js';

/** Tables that features above may read. Only this feature writes them: see scripts/table-owners.js. */
export const contactTable = sql`contact`;
export const contactChangeTable = sql`contact_change`;

export interface ContactRow {
  id: string;
  email: string;
  properties: Properties;
  createdAt: string;
  updatedAt: string;
}
const columns = sql`contact_id as id, email, properties, created_at as "createdAt", updated_at as "updatedAt"`;
const counter = counters.contacts;

export function findContact(db: Runner, tenantId: number, contactId: string): Promise<ContactRow | undefined> {
  return db.row(
    sql<ContactRow>`select ${columns} from contact where tenant_id = ${tenantId} and contact_id = ${contactId}`,
  );
}

export function findContactByEmail(db: Runner, tenantId: number, email: string): Promise<ContactRow | undefined> {
  return db.row(sql<ContactRow>`select ${columns} from contact where tenant_id = ${tenantId} and email = ${email}`);
}

/** Skipped rows are read from the index alone: for the last 200 of 100,000 contacts, 1,296 buffer pages instead of 6,748. */
export function selectContacts(
  db: Database,
  tenantId: number,
  sort: ContactSort,
  page: PageOf,
): Promise<Page<ContactRow>> {
  const total = counterValue(tenantId, counter);
  const key = sort.endsWith('email') ? sql`contact.email` : sql`contact.contact_id`;
  const order = sort.startsWith('-') ? sql`desc` : sql`asc`;
  const rows = sql<ContactRow>`
    select ${columns} from (
      select ${key} as key from contact where tenant_id = ${tenantId}
      order by ${key} ${order} limit ${page.limit} offset ${page.offset}
    ) page
    cross join lateral (select * from contact where tenant_id = ${tenantId} and ${key} = page.key limit 1) one
    order by page.key ${order}`;
  return paged(db, tenantId, { ...page, isFat: true }, { total, rows });
}

export function sampleOfContacts(tenantId: number, wanted: number): Sql {
  const [table, key] = [sql`contact`, sql`contact_id`];
  return propertySample({ table, id: key, key, keyIs: 'id' }, tenantId, wanted);
}

/** The stored contacts that a run of writes may touch. */
export function selectStored(
  tx: Transaction,
  tenantId: number,
  emails: string[],
  ids: string[],
): Promise<StoredContact[]> {
  // One lookup per key, whatever the planner estimates. With `= any(…)`, a plan made at 2,500 contacts and kept by the connection
  // read all contacts of the tenant: 2 s per run at 20,000 contacts, against 2 ms.
  const found = sql`select contact_id as id, email, properties from contact where tenant_id = ${tenantId}`;
  const byId = sql`
    select c.* from unnest(${ids}::uuid[]) as w (id) cross join lateral (${found} and contact_id = w.id limit 1) c`;
  const byEmail = sql`
    select c.* from string_to_table(${lines(emails)}, E'\n') as w (email)
    cross join lateral (${found} and email = w.email limit 1) c`;
  if (ids.length === 0) return tx.rows(byEmail as Sql<StoredContact>);
  return tx.rows(sql<StoredContact>`${byEmail} union all ${byId}`);
}

/** Stores new contacts and updates their count. The tenant's lock keeps others from adding the same emails. */
export async function insertContacts(
  tx: Transaction,
  tenantId: number,
  drafts: readonly Draft[],
  now: string,
): Promise<void> {
  if (drafts.length === 0) return;
  await tx.run(sql`
    with counted as (${intoCounters} values (${tenantId}, ${counter}, ${drafts.length}))
    insert into contact (tenant_id, contact_id, email, properties, search_text, created_at, updated_at)
    select ${tenantId}, contact_id::uuid, email, properties::jsonb, search_text, ${now}, ${now}
    from rows from (string_to_table(${lines(drafts.map((d) => d.id))}, E'\n'),
      string_to_table(${lines(drafts.map((d) => d.email))}, E'\n'), string_to_table(${lines(drafts.map((d) => d.json))}, E'\n'),
      string_to_table(${lines(drafts.map(searchText))}, E'\n')) as d (contact_id, email, properties, search_text)`);
}

export async function updateContacts(
  tx: Transaction,
  tenantId: number,
  drafts: readonly Draft[],
  now: string,
): Promise<void> {
  if (drafts.length === 0) return;
  await tx.run(sql`
    update contact c set properties = d.properties::jsonb, search_text = d.search_text, updated_at = ${now}
    from rows from (string_to_table(${lines(drafts.map((d) => d.id))}, E'\n'),
      string_to_table(${lines(drafts.map((d) => d.json))}, E'\n'), string_to_table(${lines(drafts.map(searchText))}, E'\n'))
      as d (contact_id, properties, search_text)
    where c.tenant_id = ${tenantId} and c.contact_id = d.contact_id::uuid`);
  const renamed = drafts.filter((draft) => draft.nameChanged).map((draft) => draft.id);
  if (renamed.length > 0) await queueForSearch(tx, tenantId, renamed);
}

export async function insertChanges(
  tx: Transaction,
  tenantId: number,
  changes: readonly Logged[],
  now: string,
): Promise<void> {
  if (changes.length === 0) return;
  await tx.run(sql`
    insert into contact_change (tenant_id, contact_id, field, old_value, new_value, source, changed_at)
    select ${tenantId}, contact_id, field, old_value::jsonb, new_value::jsonb, source, ${now}
    from unnest(${changes.map((c) => c.contactId)}::uuid[], ${changes.map((c) => c.field)}::text[],
      ${changes.map((c) => JSON.stringify(c.oldValue))}::text[], ${changes.map((c) => JSON.stringify(c.newValue))}::text[],
      ${changes.map((c) => c.source)}::text[]) with ordinality as c (contact_id, field, old_value, new_value, source, ord)
    order by ord`);
}

export async function insertPropertyKeys(tx: Transaction, tenantId: number, keys: readonly string[]): Promise<void> {
  await tx.run(sql`
    insert into property_key (tenant_id, key) select ${tenantId}, unnest(${[...keys].sort()}::text[]) on conflict do nothing`);
}

/** Reads only the addresses: the rest of a contact may be megabytes. */
export async function selectEmails(db: Runner, tenantId: number, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.rows(sql<{ id: string; email: string }>`
    select contact_id as id, email from contact where tenant_id = ${tenantId} and contact_id = any(${ids}::uuid[])`);
  return new Map(rows.map((row) => [row.id, row.email]));
}

export interface ChangeRow {
  field: string;
  oldValue: unknown;
  newValue: unknown;
  source: string;
  changedAt: string;
}

export function selectChanges(
  db: Database,
  tenantId: number,
  contactId: string,
  page: PageOf,
): Promise<Page<ChangeRow>> {
  const own = sql`tenant_id = ${tenantId} and contact_id = ${contactId}`;
  const total = sql`(select count(*) from contact_change where ${own})`;
  const rows = sql<ChangeRow>`
    select field, old_value as "oldValue", new_value as "newValue", source, changed_at as "changedAt"
    from contact_change where ${own} order by change_id desc limit ${page.limit} offset ${page.offset}`;
  return paged(db, tenantId, { ...page, isFat: true }, { total, rows });
}

/** Waits for transactions that add this contact to something, so that nothing new can refer to it. */
export function lockContact(
  tx: Transaction,
  tenantId: number,
  contactId: string,
): Promise<{ email: string } | undefined> {
  return tx.row(sql<{ email: string }>`
    select email from contact where tenant_id = ${tenantId} and contact_id = ${contactId} for update`);
}

/** Whether the contact exists. It cannot be erased until the transaction ends. */
export async function holdContact(tx: Transaction, tenantId: number, contactId: string): Promise<boolean> {
  const row = await tx.row(sql`
    select 1 from contact where tenant_id = ${tenantId} and contact_id = ${contactId} for key share`);
  return row !== undefined;
}

/** Returns which of these contacts exist. They cannot be erased until the transaction ends. */
export async function holdContactIds(
  tx: Transaction,
  tenantId: number,
  contactIds: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.rows(sql<{ id: string }>`
    select contact_id as id from contact where tenant_id = ${tenantId} and contact_id = any(${contactIds}::uuid[])
    order by contact_id for key share`);
  return new Set(rows.map(({ id }) => id));
}

/** The contacts with these emails, by email. They cannot be erased until the transaction ends. */
export async function holdContacts(
  tx: Transaction,
  tenantId: number,
  emails: readonly string[],
): Promise<Map<string, string>> {
  if (emails.length === 0) return new Map();
  // Locked in key order, so that two callers cannot deadlock.
  const rows = await tx.rows(sql<{ id: string; email: string }>`
    select contact_id as id, email from contact where tenant_id = ${tenantId} and email = any(${emails}::text[])
    order by contact_id for key share`);
  return new Map(rows.map((row) => [row.email, row.id]));
}

/** The contacts with these emails, by email. One lookup per key, as in selectStored. */
export async function findContactIds(
  tx: Transaction,
  tenantId: number,
  emails: readonly string[],
): Promise<Map<string, string>> {
  if (emails.length === 0) return new Map();
  const rows = await tx.rows(sql<{ id: string; email: string }>`
    select c.* from string_to_table(${lines(emails)}, E'\n') as w (email) cross join lateral (
      select contact_id as id, email from contact where tenant_id = ${tenantId} and email = w.email limit 1
    ) c`);
  return new Map(rows.map((row) => [row.email, row.id]));
}

/** Returns which of these ids are contacts. One lookup per key, as in selectStored. */
export async function selectExisting(tx: Runner, tenantId: number, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx.rows(sql<{ id: string }>`
    select c.id from unnest(${ids}::uuid[]) as w (id) cross join lateral (
      select contact_id as id from contact where tenant_id = ${tenantId} and contact_id = w.id limit 1
    ) c`);
  return new Set(rows.map((row) => row.id));
}

/** Deletes what the contacts feature itself keeps about a person. Other features have removed their part before. */
export async function deleteContactRows(tx: Transaction, tenantId: number, contactId: string): Promise<void> {
  await tx.run(sql`delete from contact_change where tenant_id = ${tenantId} and contact_id = ${contactId}`);
  await forgetInSearch(tx, tenantId, contactId);
  await tx.run(sql`
    with gone as (delete from contact where tenant_id = ${tenantId} and contact_id = ${contactId} returning tenant_id)
    ${intoCounters} select tenant_id, ${counter}, -1 from gone`);
}

export function selectContactsByIds(db: Runner, tenantId: number, ids: readonly string[]): Promise<ContactRow[]> {
  return db.rows(sql<ContactRow>`
    select ${columns} from contact where tenant_id = ${tenantId} and contact_id = any(${ids}::uuid[]) order by contact_id desc`);
}

/** The same, in the order of the ids. One lookup per key, as in selectStored. */
export function selectContactsInOrder(db: Runner, tenantId: number, ids: readonly string[]): Promise<ContactRow[]> {
  return db.rows(sql<ContactRow>`
    select ${columns} from unnest(${ids}::uuid[]) with ordinality as w (id, ord)
    cross join lateral (select * from contact where tenant_id = ${tenantId} and contact_id = w.id limit 1) one
    order by w.ord`);
}

interface FieldChange {
  oldValue: unknown;
  newValue: unknown;
  at: string;
}

/** The newest changes of one property of a contact. */
export function selectChangesOf(
  db: Runner,
  tenantId: number,
  contactId: string,
  field: string,
  atMost: number,
): Promise<FieldChange[]> {
  return db.rows(sql<FieldChange>`
    select old_value as "oldValue", new_value as "newValue", changed_at as at from contact_change
    where tenant_id = ${tenantId} and contact_id = ${contactId} and field = ${field} order by change_id desc limit ${atMost}`);
}

/**
 * The contacts whose property changed from `from` to `to` since then, among all or these, as a query with a column contact_id.
 * Undefined `from` or `to` matches any value.
 */
export function changedSql(
  tenantId: number,
  { field, from, to, since }: { field: string; from: unknown; to: unknown; since: string },
  ids?: readonly string[],
): Sql {
  // Compares like `is`: an array equals a value that one of its elements equals.
  const equals = (value: Sql, wanted: unknown) =>
    wanted === undefined ? sql`true` : sql`${value} @> ${JSON.stringify(wanted)}::jsonb`;
  const who = ids
    ? sql`unnest(${ids}::uuid[]) as w (id)`
    : sql`(select contact_id as id from contact where tenant_id = ${tenantId}) w`;
  return sql`
    select w.id as contact_id from ${who} where exists (
      select from contact_change h where h.tenant_id = ${tenantId} and h.contact_id = w.id and h.field = ${field}
        and h.changed_at >= ${since}::timestamptz and ${equals(sql`h.old_value`, from)} and ${equals(sql`h.new_value`, to)}
      offset 0)`;
}
