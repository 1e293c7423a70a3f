import type { EmailRow } from '@rapport/contract';
import type { Static } from 'typebox';
import type { AuthoredEmail, EmailRecord, StoredRow } from './queries.js';

/** The row as the API shows it. */
export function presentRow(row: StoredRow, baseUrl: string): Static<typeof EmailRow> {
  return {
    id: row.id,
    emailId: row.id,
    name: row.name,
    subject: row.subject,
    preheader: row.preheader,
    fromEmail: { email: row.senderEmail, name: row.senderName },
    replyTo: row.replyTo ?? row.senderEmail,
    editorUrl: `${baseUrl}/console/emails/${row.id}`,
    createdAt: row.createdAt,
    createdBy: row.createdBy,
    updatedAt: row.updatedAt,
    updatedBy: row.updatedBy,
    directoryId: row.directoryId,
    topicId: row.topicId,
  };
}

/** The record, and the tag that distinguishes one edit from the next. */
export function presentEmail(email: AuthoredEmail, baseUrl: string): { data: EmailRecord; etag: string } {
  const { html, design } = email;
  return { data: { ...presentRow(email, baseUrl), html, design }, etag: String(email.revision) };
}
