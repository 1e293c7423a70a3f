import { isDeepStrictEqual } from 'node:util';
import { type EmailField, emailFields } from '@rapport/contract';
import type { Transaction } from '../../../db/database.js';
import type { AuthoredEmail, Content } from '../queries.js';
import { deleteRevisionsTo, insertRevision } from './queries.js';

/** How many saves of an email are kept by default. */
export const usualSaves = 100;

/** Before an email changes: its last save may come from a node of an earlier release, which kept no revision. */
export function keepBefore(tx: Transaction, tenantId: number, emailId: string): Promise<void> {
  return insertRevision(tx, tenantId, emailId, { changed: [], restoredFrom: null });
}

/** After a save, in the same transaction. Keeps the newest `most` saves. */
export async function keepSave(
  tx: Transaction,
  tenantId: number,
  email: AuthoredEmail,
  { before, restoredFrom, most }: { before: Fields | undefined; restoredFrom: number | null; most: number },
): Promise<void> {
  const changed = before ? changedFields(before, email) : [];
  await insertRevision(tx, tenantId, email.id, { changed, restoredFrom });
  await deleteRevisionsTo(tx, tenantId, email.id, email.revision - most);
}

type Fields = Omit<Content, 'uses'>;

const columnsOf: Record<EmailField, readonly (keyof Fields)[]> = {
  name: ['name'],
  subject: ['subject'],
  preheader: ['preheader'],
  // A changed text is a changed html in other words.
  html: ['html', 'text'],
  design: ['design'],
  languages: ['translations'],
  fromEmail: ['senderEmail', 'senderName'],
  replyTo: ['replyTo'],
  folderId: ['directoryId'],
  topicId: ['topicId'],
};

/** The fields that differ, by their names in a PATCH. */
export function changedFields(before: Fields, after: Fields): EmailField[] {
  return emailFields.filter((field) =>
    columnsOf[field].some((column) => !isDeepStrictEqual(before[column], after[column])),
  );
}
