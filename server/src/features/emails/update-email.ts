import type { BodyValue, updateEmail as route } from '@rapport/contract';
import { violatedUnique } from '../../db/connect.js';
import type { Database, Transaction } from '../../db/database.js';
import { ApiError, notFound } from '../../http/api-error.js';
import { isAssetId } from '../../lib/ids.js';
import { alreadyExists, checkEmail, isFolder } from './check-email.js';
import { checkTexts } from './check-templates.js';
import { type Content, findEmail, lockEmail, type StoredEmail, updateEmailRow } from './queries.js';
import type { Renderer } from './rendering/renderer.js';
import type { Checked, Texts } from './rendering/texts.js';

/** Changes what is given, and checks the whole as if it were new. `ifMatch`: only when nobody else changed it since. */
export async function updateEmail(
  db: Database,
  renderer: Renderer,
  by: { tenantId: number; accountId: number },
  id: string,
  change: BodyValue<typeof route>,
  ifMatch: readonly string[] | undefined,
): Promise<StoredEmail> {
  const isTexts = (a: Texts, b: Texts) => a.html === b.html && a.subject === b.subject && a.preheader === b.preheader;
  const before = isAssetId(id) ? await findEmail(db, by.tenantId, id) : undefined;
  if (!before) throw notFound('email');
  let texts: Texts = merge(before, change);
  for (;;) {
    // Before the transaction, which must not wait for it.
    const checked = await checkTexts(renderer, by.tenantId, texts);
    const outcome = await db.transaction((tx) =>
      changeIf(tx, by, id, change, ifMatch, (content) => (isTexts(content, texts) ? checked : undefined)),
    );
    if (!('retryWith' in outcome)) return outcome;
    // Somebody else changed the text meanwhile.
    texts = outcome.retryWith;
  }
}

async function changeIf(
  tx: Transaction,
  by: { tenantId: number; accountId: number },
  id: string,
  change: BodyValue<typeof route>,
  ifMatch: readonly string[] | undefined,
  checkedOf: (content: Content) => Checked | undefined,
): Promise<StoredEmail | { retryWith: Texts }> {
  // The one that it is in stays the one, or none: a folder that is deleted is taken off its emails.
  const folderIsThere = await isFolder(tx, by.tenantId, change.folderId);
  const stored = isAssetId(id) ? await lockEmail(tx, by.tenantId, id) : undefined;
  if (!stored) throw notFound('email');
  if (ifMatch && !ifMatch.includes('*') && !ifMatch.includes(String(stored.revision)))
    throw new ApiError('EDIT_CONFLICT');
  const content = merge(stored, change);
  const checked = checkedOf(content);
  if (!checked) return { retryWith: content };
  await checkEmail(tx, by.tenantId, content, checked, folderIsThere, id);
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
