import type { BodyValue, updateEmail as route } from '@rapport/contract';
import { violatedUnique } from '../../db/connect.js';
import type { Database, Transaction } from '../../db/database.js';
import { ApiError, invalid, notFound } from '../../http/api-error.js';
import { isAssetId } from '../../lib/ids.js';
import { alreadyExists, checkEmail, findPlaces } from './check-email.js';
import { checkTexts } from './check-templates.js';
import { changedFields, keepBefore, keepSave } from './history/keep-save.js';
import { findRevision, type Revision } from './history/queries.js';
import { type Content, findEmail, lockEmail, type StoredEmail, updateEmailRow } from './queries.js';
import type { Renderer } from './rendering/renderer.js';
import type { Checked, Texts } from './rendering/texts.js';

export interface Authoring {
  db: Database;
  renderer: Renderer;
  /** How many saves of an email are kept. */
  mostSaves: number;
}
interface Author {
  tenantId: number;
  accountId: number;
}
type Change = BodyValue<typeof route>;

interface Edit {
  id: string;
  /** Undefined: the save to restore is no longer kept. */
  change: Change | undefined;
  restoredFrom: number | null;
  /** Applies the edit only if the email has not changed since. */
  ifMatch: readonly string[] | undefined;
}
/** Runs an edit in a transaction and turns the result into a response. */
type Settle<A> = (effect: (tx: Transaction) => Promise<StoredEmail>) => Promise<A>;

/** A concurrent edit changed the text, so it is not the one that was checked. */
class OtherTexts extends Error {
  constructor(readonly texts: Texts) {
    super('The text of the email is another one.');
  }
}

/** Changes the given fields, and checks the result like a new email. */
export async function updateEmail<A>(authoring: Authoring, by: Author, edit: Edit, settle: Settle<A>): Promise<A> {
  const { db, renderer } = authoring;
  const before = isAssetId(edit.id) ? await findEmail(db, by.tenantId, edit.id) : undefined;
  let texts: Texts | undefined = before && edit.change && merge(before, edit.change);
  for (;;) {
    // Before the transaction, which must not wait for it.
    const checked = texts && (await checkTexts(renderer, by.tenantId, texts));
    const checkedOf = (content: Content) => (texts && areSame(content, texts) ? checked : undefined);
    try {
      return await settle((tx) => changeIf(tx, authoring, by, edit, checkedOf));
    } catch (error) {
      if (!(error instanceof OtherTexts)) throw error;
      texts = error.texts;
    }
  }
}

/** Restores an earlier save, as a new save. The email stays in its current folder, even if it has moved since. */
export async function restoreEmail<A>(
  authoring: Authoring,
  by: Author,
  { id, revision, ifMatch }: { id: string; revision: number; ifMatch: Edit['ifMatch'] },
  settle: Settle<A>,
): Promise<A> {
  const kept = isAssetId(id) ? await findRevision(authoring.db, by.tenantId, id, revision) : undefined;
  return updateEmail(authoring, by, { id, change: kept && changeTo(kept), restoredFrom: revision, ifMatch }, settle);
}

function changeTo(kept: Revision): Change {
  const { name, subject, preheader, html, senderEmail, senderName, replyTo, topicId } = kept;
  return { name, subject, preheader, html, fromEmail: { email: senderEmail, name: senderName }, replyTo, topicId };
}

function areSame(a: Texts, b: Texts): boolean {
  return a.html === b.html && a.subject === b.subject && a.preheader === b.preheader;
}

async function changeIf(
  tx: Transaction,
  { mostSaves }: Authoring,
  by: Author,
  { id, change, restoredFrom, ifMatch }: Edit,
  checkedOf: (content: Content) => Checked | undefined,
): Promise<StoredEmail> {
  const { tenantId } = by;
  // The folder stays as it is, or unset: deleting a folder removes it from its emails.
  const places = await findPlaces(tx, tenantId, {
    ...(change?.folderId ? { directoryId: change.folderId } : {}),
    ...(change?.topicId ? { topicId: change.topicId } : {}),
  });
  const stored = isAssetId(id) ? await lockEmail(tx, tenantId, id) : undefined;
  if (!stored) throw notFound('email');
  if (ifMatch && !ifMatch.includes('*') && !ifMatch.includes(String(stored.revision)))
    throw new ApiError('EDIT_CONFLICT');
  if (!change) throw invalid('revision', 'is not in the history of this email');
  const content = merge(stored, change);
  const checked = checkedOf(content);
  if (!checked) throw new OtherTexts(content);
  await checkEmail(tx, tenantId, content, checked, places, id);
  // Nothing changed, so there is nothing to save and no conflict with other edits.
  if (changedFields(stored, content).length === 0) return stored;
  await keepBefore(tx, tenantId, id);
  const email = await updated(tx, by, id, content);
  await keepSave(tx, tenantId, email, { before: stored, restoredFrom, most: mostSaves });
  return email;
}

async function updated(tx: Transaction, by: Author, id: string, content: Content): Promise<StoredEmail> {
  try {
    const email = await updateEmailRow(tx, by, id, content);
    if (!email) throw notFound('email');
    return email;
  } catch (error) {
    if (violatedUnique(error) === 'email_live_name') throw alreadyExists(content.name);
    throw error;
  }
}

/** Null clears an optional field; a sender is replaced as a whole. */
function merge(stored: StoredEmail, change: Change): Content {
  const { name, html, subject, fromEmail, replyTo, preheader, folderId, topicId } = change;
  return {
    name: name ?? stored.name,
    html: html ?? stored.html,
    subject: subject ?? stored.subject,
    senderEmail: fromEmail?.email ?? stored.senderEmail,
    senderName: fromEmail ? (fromEmail.name ?? null) : stored.senderName,
    replyTo: replyTo === undefined ? stored.replyTo : replyTo,
    preheader: preheader === undefined ? stored.preheader : preheader || null,
    directoryId: folderId === undefined ? stored.directoryId : folderId,
    topicId: topicId === undefined ? stored.topicId : topicId,
  };
}
