import type { Design, Email } from '@rapport/contract';
import type { Static } from 'typebox';
import { counters, counterValue, intoCounters } from '../../db/counters.js';
import type { Database, Runner, Transaction } from '../../db/database.js';
import { type Page, type PageOf, paged } from '../../db/paged.js';
import { bytes, sql } from '../../db/sql.js';
import { storedGrams } from '../../lib/grams.js';
import { foldCase } from '../../lib/text.js';
import { nameMatches } from '../folders/index.js';
import { translationsOf } from './languages/queries.js';
import { inOrder, type Translations } from './languages/translation.js';

/** Tables that features above may read. Only this feature writes them: see scripts/table-owners.js. */
export const emailTable = sql`email`;

/** An email as it is stored; the API's form is made from it. */
export interface StoredEmail {
  id: string;
  name: string;
  subject: string;
  preheader: string | null;
  html: string;
  /** The template of the text part; null: that is made from the html. */
  text: string | null;
  senderEmail: string;
  senderName: string | null;
  /** Null: replies go to the sender. */
  replyTo: string | null;
  directoryId: string | null;
  topicId: string | null;
  /** Those that it is translated into, in order. */
  languages: readonly string[];
  revision: number;
  createdAt: string;
  createdBy: number;
  updatedAt: string;
  updatedBy: number;
}
/** With what it is edited by. */
export interface AuthoredEmail extends StoredEmail {
  /** Null: it is written in HTML. */
  design: Design | null;
  /** The version of the compiler that made the html and the text. */
  compiledBy: number | null;
  translations: Translations;
}
export type StoredRow = Omit<StoredEmail, 'html' | 'text' | 'languages'>;
export type EmailRecord = Static<typeof Email>;
/** The fields that the author chooses, and what is made from them. */
export interface Content
  extends Omit<AuthoredEmail, 'id' | 'languages' | 'revision' | 'createdAt' | 'createdBy' | 'updatedAt' | 'updatedBy'> {
  /** What it names: see authoring/uses.ts. */
  uses: readonly string[];
}

const rowColumns = sql`
  email_id as id, name, subject, preheader, from_email as "senderEmail", from_name as "senderName", reply_to as "replyTo",
  folder_id as "directoryId", topic_id as "topicId", revision, created_at as "createdAt", created_by as "createdBy", updated_at as "updatedAt",
  updated_by as "updatedBy"`;
const columns = sql`${rowColumns}, html, text_template as text, languages`;
const savedColumns = sql`${columns}, design, compiled_by as "compiledBy"`;
const authoredColumns = sql`${savedColumns}, ${translationsOf(sql`'{}'`)} as translations`;
const counter = counters.emails;

/** Returns nothing if a live email has the name. Its translations are stored after it. */
export async function insertEmail(
  tx: Transaction,
  by: { tenantId: number; accountId: number },
  id: string,
  content: Content,
): Promise<AuthoredEmail | undefined> {
  const { tenantId, accountId } = by;
  const { name, subject, preheader, html, senderEmail, senderName, replyTo, directoryId, topicId } = content;
  const { design, text, compiledBy, uses } = content;
  const row = await tx.row(sql<Saved>`
    with made as (
      insert into email (tenant_id, email_id, name, name_folded, name_grams, subject, preheader, html, from_email, from_name,
        reply_to, folder_id, topic_id, design, text_template, compiled_by, uses, languages, created_by, updated_by)
      values (${tenantId}, ${bytes(id)}, ${name}, ${foldCase(name)}, ${storedGrams(tenantId, name)}, ${subject}, ${preheader},
        ${html}, ${senderEmail}, ${senderName}, ${replyTo}, ${directoryId && bytes(directoryId)},
        ${topicId && bytes(topicId)}, ${design && JSON.stringify(design)}::jsonb, ${text}, ${compiledBy}, ${uses}::text[],
        ${tagsOf(content)}::text[], ${accountId}, ${accountId})
      on conflict (tenant_id, name) where deleted_at is null do nothing returning *
    ), counted as (
      ${intoCounters} select tenant_id, ${counter}, 1 from made
    )
    select ${savedColumns} from made`);
  return row && { ...row, translations: inOrder(content.translations) };
}

type Saved = Omit<AuthoredEmail, 'translations'>;

function tagsOf({ translations }: Content): string[] {
  return Object.keys(inOrder(translations));
}

export async function findEmail(db: Runner, tenantId: number, id: string): Promise<AuthoredEmail | undefined> {
  return whole(
    await db.row(sql<AuthoredEmail>`
      select ${authoredColumns} from email where tenant_id = ${tenantId} and email_id = ${bytes(id)} and deleted_at is null`),
  );
}

/** JSON in the database has an order of its own. */
function whole(email: AuthoredEmail | undefined): AuthoredEmail | undefined {
  return email && { ...email, translations: inOrder(email.translations) };
}

/** The live emails among these ids. */
export function selectEmailsByIds(db: Runner, tenantId: number, ids: readonly string[]): Promise<StoredEmail[]> {
  return db.rows(sql<StoredEmail>`
    select ${columns} from email
    where tenant_id = ${tenantId} and email_id = any(${ids.map(bytes)}::bytea[]) and deleted_at is null`);
}

/** The names of these emails by id, including deleted ones. */
export async function selectEmailNames(
  db: Runner,
  tenantId: number,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.rows(sql<{ id: string; name: string }>`
    select email_id as id, name from email where tenant_id = ${tenantId} and email_id = any(${ids.map(bytes)}::bytea[])`);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Without the texts, which may be megabytes. */
export async function findEmailName(db: Runner, tenantId: number, id: string): Promise<string | undefined> {
  const row = await db.row(sql<{ name: string }>`
    select name from email where tenant_id = ${tenantId} and email_id = ${bytes(id)} and deleted_at is null`);
  return row?.name;
}

/** The edit counter, without the texts. */
export async function findRevisionNow(db: Runner, tenantId: number, id: string): Promise<number | undefined> {
  const row = await db.row(sql<{ revision: number }>`
    select revision from email where tenant_id = ${tenantId} and email_id = ${bytes(id)} and deleted_at is null`);
  return row?.revision;
}

/**
 * A live email with its whole content, locked until the transaction ends. If it changed while this waited for the lock, the translations are
 * older than the rest: compare the revision with what was read before.
 */
export async function lockEmail(tx: Transaction, tenantId: number, id: string): Promise<AuthoredEmail | undefined> {
  return whole(
    await tx.row(sql<AuthoredEmail>`
      select ${authoredColumns} from email
      where tenant_id = ${tenantId} and email_id = ${bytes(id)} and deleted_at is null for update`),
  );
}

/** Returns which of these ids are live emails. */
export async function selectLiveIds(db: Runner, tenantId: number, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.rows(sql<{ id: string }>`
    select email_id as id from email
    where tenant_id = ${tenantId} and email_id = any(${ids.map(bytes)}::bytea[]) and deleted_at is null`);
  return new Set(rows.map((row) => row.id));
}

export async function nameIsTaken(db: Runner, tenantId: number, name: string, exceptId?: string): Promise<boolean> {
  const row = await db.row(sql`
    select 1 from email where tenant_id = ${tenantId} and name = ${name} and deleted_at is null
      and email_id is distinct from ${exceptId === undefined ? null : bytes(exceptId)}::bytea`);
  return row !== undefined;
}

/** Its translations are stored after it. */
export async function updateEmailRow(
  tx: Transaction,
  by: { tenantId: number; accountId: number },
  id: string,
  content: Content,
): Promise<AuthoredEmail | undefined> {
  const { tenantId, accountId } = by;
  const { name, subject, preheader, html, senderEmail, senderName, replyTo, directoryId, topicId } = content;
  const { design, text, compiledBy, uses } = content;
  const row = await tx.row(sql<Saved>`
    update email set name = ${name}, name_folded = ${foldCase(name)}, name_grams = ${storedGrams(tenantId, name)},
      subject = ${subject}, preheader = ${preheader}, html = ${html}, from_email = ${senderEmail}, from_name = ${senderName},
      reply_to = ${replyTo}, folder_id = ${directoryId && bytes(directoryId)}, topic_id = ${topicId && bytes(topicId)},
      design = ${design && JSON.stringify(design)}::jsonb, text_template = ${text}, compiled_by = ${compiledBy},
      uses = ${uses}::text[], languages = ${tagsOf(content)}::text[], revision = revision + 1, updated_by = ${accountId}, updated_at = now()
    where tenant_id = ${tenantId} and email_id = ${bytes(id)} and deleted_at is null returning ${savedColumns}`);
  return row && { ...row, translations: inOrder(content.translations) };
}

export async function markDeleted(
  tx: Transaction,
  { tenantId, accountId }: { tenantId: number; accountId: number },
  id: string,
): Promise<boolean> {
  const row = await tx.row(sql<{ gone: number }>`
    with gone as (
      update email set deleted_at = now(), updated_at = now(), updated_by = ${accountId}
      where tenant_id = ${tenantId} and email_id = ${bytes(id)} and deleted_at is null returning tenant_id
    ), counted as (
      ${intoCounters} select tenant_id, ${counter}, -1 from gone
    )
    select count(*) as gone from gone`);
  return row?.gone === 1;
}

interface EmailFilter {
  search: string | undefined;
  /** A well-formed folder id. */
  folderId: string | undefined;
  sort: keyof typeof orders;
}

const orders = {
  '-createdAt': sql`created_at desc, email_id desc`,
  '-updatedAt': sql`updated_at desc, email_id desc`,
  name: sql`name_folded, email_id`,
};

export function selectEmails(
  db: Database,
  tenantId: number,
  { search, folderId, sort }: EmailFilter,
  { limit, offset }: PageOf,
): Promise<Page<StoredRow>> {
  const named = search === undefined ? sql`` : sql`and ${nameMatches(tenantId, search)}`;
  const filed = folderId === undefined ? sql`` : sql`and folder_id = ${bytes(folderId)}`;
  const matches = sql`tenant_id = ${tenantId} and deleted_at is null ${named} ${filed}`;
  const isWhole = search === undefined && folderId === undefined;
  const total = isWhole ? counterValue(tenantId, counter) : sql`(select count(*) from email where ${matches})`;
  const rows = sql<StoredRow>`
    select ${rowColumns} from email where ${matches}
    order by ${orders[sort]} limit ${limit} offset ${offset}`;
  return paged(db, tenantId, { limit, offset, isSearch: search !== undefined }, { total, rows });
}

/** The topics of the live emails among these that have one, by email id. */
export async function selectTopicsOf(
  db: Runner,
  tenantId: number,
  emailIds: readonly string[],
): Promise<Map<string, string>> {
  if (emailIds.length === 0) return new Map();
  const rows = await db.rows(sql<{ id: string; topicId: string }>`
    select email_id as id, topic_id as "topicId" from email where tenant_id = ${tenantId}
      and email_id = any(${emailIds.map(bytes)}::bytea[]) and deleted_at is null and topic_id is not null`);
  return new Map(rows.map(({ id, topicId }) => [id, topicId]));
}

/** The name of a live email about this topic, if there is one. */
export async function findEmailAbout(db: Runner, tenantId: number, topicId: string): Promise<string | undefined> {
  const row = await db.row(sql<{ name: string }>`
    select name from email where tenant_id = ${tenantId} and topic_id = ${bytes(topicId)} and deleted_at is null
    order by email_id limit 1`);
  return row?.name;
}

/**
 * The name of a live email with a condition about this topic or list, in whatever language. The texts are searched: both are rarely deleted, and an id
 * is nothing that an author writes otherwise.
 */
export async function findEmailAsking(db: Runner, tenantId: number, id: string): Promise<string | undefined> {
  const names = sql`position(${id} in concat_ws(' ', subject, preheader, html)) > 0`;
  const row = await db.row(sql<{ name: string }>`
    select name from email where tenant_id = ${tenantId} and deleted_at is null and (${names} or languages <> '{}' and email_id in (
      select email_id from email_language where tenant_id = ${tenantId} and ${names}))
    order by email_id limit 1`);
  return row?.name;
}

/** The name of a live email that names this file. */
export async function findEmailNaming(db: Runner, tenantId: number, hash: string): Promise<string | undefined> {
  const row = await db.row(sql<{ name: string }>`
    select name from email where tenant_id = ${tenantId} and deleted_at is null and uses <> '{}' and uses @> array[${hash}::text]
    order by email_id limit 1`);
  return row?.name;
}
