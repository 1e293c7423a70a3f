import type { EmailRow } from '@rapport/contract';
import type { Static } from 'typebox';
import { missingIn } from './languages/missing.js';
import { inOrder } from './languages/translation.js';
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
  const data = { ...presentRow(email, baseUrl), html, design, ...presentTranslations(email) };
  return { data, etag: String(email.revision) };
}

type Translated = Pick<AuthoredEmail, 'subject' | 'preheader' | 'design' | 'translations'>;

/** Left out where there are none. */
export function presentTranslations(email: Translated): Pick<EmailRecord, 'languages'> {
  const all = Object.entries(inOrder(email.translations));
  if (all.length === 0) return {};
  const languages = all.map(([language, translation]) => {
    const { subject, preheader, html, design } = translation;
    return [language, { subject, preheader, html, design, missing: missingIn(email, translation) }];
  });
  return { languages: Object.fromEntries(languages) };
}
