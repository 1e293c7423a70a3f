import type { BodyValue, updateEmail as route } from '@rapport/contract';
import { violatedUnique } from '../../db/connect.js';
import type { Transaction } from '../../db/database.js';
import { ApiError, notFound } from '../../http/api-error.js';
import { isAssetId } from '../../lib/ids.js';
import { alreadyExists, checkEmail, isFolder } from './check-email.js';
import { type Content, lockEmail, type StoredEmail, updateEmailRow } from './queries.js';

/** Changes what is given, and checks the whole as if it were new. `ifMatch`: only when nobody else changed it since. */
export async function updateEmail(
  tx: Transaction,
  by: { tenantId: number; accountId: number },
  id: string,
  change: BodyValue<typeof route>,
  ifMatch: readonly string[] | undefined,
): Promise<StoredEmail> {
  // The one that it is in stays the one, or none: a folder that is deleted is taken off its emails.
  const folderIsThere = await isFolder(tx, by.tenantId, change.folderId);
  const stored = isAssetId(id) ? await lockEmail(tx, by.tenantId, id) : undefined;
  if (!stored) throw notFound('email');
  if (ifMatch && !ifMatch.includes('*') && !ifMatch.includes(String(stored.revision)))
    throw new ApiError('EDIT_CONFLICT');
  const content = merge(stored, change);
  await checkEmail(tx, by.tenantId, content, folderIsThere, id);
  try {
    const email = await updateEmailRow(tx, by, id, content);
    if (!email) throw notFound('email');
    return email;
  } catch (error) {
    if (violatedUnique(error) === 'email_live_name') throw alreadyExists(content.name);
    throw error;
  }
}

/** Null clears what is optional; a sender is replaced whole. */
function merge(stored: StoredEmail, change: BodyValue<typeof route>): Content {
  const { name, html, subject, fromEmail, replyTo, preheader, folderId } = change;
  return {
    name: name ?? stored.name,
    html: html ?? stored.html,
    subject: subject ?? stored.subject,
    senderEmail: fromEmail?.email ?? stored.senderEmail,
    senderName: fromEmail ? (fromEmail.name ?? null) : stored.senderName,
    replyTo: replyTo === undefined ? stored.replyTo : replyTo,
    preheader: preheader === undefined ? stored.preheader : preheader || null,
    directoryId: folderId === undefined ? stored.directoryId : folderId,
  };
}
