import type { Design, EmailField } from '@rapport/contract';
import type { Database, Runner, Transaction } from '../../../db/database.js';
import { type Page, type PageOf, paged } from '../../../db/paged.js';
import { bytes, sql } from '../../../db/sql.js';
import { translationsOf } from '../languages/queries.js';
import type { Translations } from '../languages/translation.js';

export interface RevisionRow {
  revision: number;
  savedAt: string;
  savedBy: number;
  changed: EmailField[];
  restoredFrom: number | null;
  name: string;
  subject: string;
}

/** A save with its content. */
export interface Revision extends RevisionRow {
  preheader: string | null;
  html: string;
  design: Design | null;
  /** Null: none. */
  translations: Translations | null;
  senderEmail: string;
  senderName: string | null;
  /** Null: replies go to the sender. */
  replyTo: string | null;
  topicId: string | null;
}

const rowColumns = sql`
  revision, saved_at as "savedAt", saved_by as "savedBy", changed, restored_from as "restoredFrom", name, subject`;

interface Save {
  changed: readonly EmailField[];
  restoredFrom: number | null;
}

/** Stores the email's current content as a revision, unless it is stored already. Copied inside the database: the text may be megabytes. */
export async function insertRevision(tx: Transaction, tenantId: number, emailId: string, save: Save): Promise<void> {
  await tx.run(sql`
    insert into email_revision (tenant_id, email_id, revision, saved_at, saved_by, changed, restored_from, name, subject,
      preheader, html, from_email, from_name, reply_to, topic_id, design, text_template, compiled_by, languages)
    select tenant_id, email_id, revision, updated_at, updated_by, ${save.changed}::text[], ${save.restoredFrom}::integer, name,
      subject, preheader, html, from_email, from_name, reply_to, topic_id, design, text_template, compiled_by,
      ${translationsOf(sql`null`)}
    from email where tenant_id = ${tenantId} and email_id = ${bytes(emailId)}
    on conflict (tenant_id, email_id, revision) do nothing`);
}

export async function deleteRevisionsTo(
  tx: Transaction,
  tenantId: number,
  emailId: string,
  revision: number,
): Promise<void> {
  await tx.run(sql`
    delete from email_revision
    where tenant_id = ${tenantId} and email_id = ${bytes(emailId)} and revision <= ${revision}`);
}

/** Newest first. An email has few, so the total is a plain count. */
export function selectRevisions(
  db: Database,
  tenantId: number,
  emailId: string,
  { limit, offset }: PageOf,
): Promise<Page<RevisionRow>> {
  const ofEmail = sql`tenant_id = ${tenantId} and email_id = ${bytes(emailId)}`;
  const total = sql`(select count(*) from email_revision where ${ofEmail})`;
  const rows = sql<RevisionRow>`
    select ${rowColumns} from email_revision where ${ofEmail} order by revision desc limit ${limit} offset ${offset}`;
  return paged(db, tenantId, { limit, offset }, { total, rows });
}

export function findRevision(
  db: Runner,
  tenantId: number,
  emailId: string,
  revision: number,
): Promise<Revision | undefined> {
  return db.row(sql<Revision>`
    select ${rowColumns}, preheader, html, design, from_email as "senderEmail", from_name as "senderName", reply_to as "replyTo",
      topic_id as "topicId", languages as translations
    from email_revision where tenant_id = ${tenantId} and email_id = ${bytes(emailId)} and revision = ${revision}`);
}
