import { isDeepStrictEqual } from 'node:util';
import type { BodyValue, updateEmail as route } from '@rapport/contract';
import { violatedUnique } from '../../db/connect.js';
import type { Transaction } from '../../db/database.js';
import { ApiError, invalid, notFound } from '../../http/api-error.js';
import { isAssetId } from '../../lib/ids.js';
import { compilerVersion } from '../designs/index.js';
import { holdBasis, OutOfDate } from './authoring/hold-basis.js';
import { type Draft, type Prepared, type PrepareNeeds, prepareEmail } from './authoring/prepare-email.js';
import { alreadyExists, checkEmail, findPlaces, refuseShape } from './check-email.js';
import { changedFields, keepBefore, keepSave } from './history/keep-save.js';
import { findRevision, type Revision } from './history/queries.js';
import { storeTranslations } from './languages/queries.js';
import { draftTranslations, isGiven, notBoth, readLanguages } from './languages/read-languages.js';
import { type AuthoredEmail, type Content, findEmail, lockEmail, updateEmailRow } from './queries.js';

export interface Authoring extends PrepareNeeds {
  /** How many saves of an email are kept. */
  mostSaves: number;
}
/** If the database takes too long to try something. */
export const tryAgain = 'try again in a moment';
interface Author {
  tenantId: number;
  accountId: number;
}
interface Change extends BodyValue<typeof route> {
  /** Languages that are not named go. */
  isWhole?: boolean;
}

interface Edit {
  id: string;
  /** Undefined: the save to restore is no longer kept. */
  change: Change | undefined;
  restoredFrom: number | null;
  /** Applies the edit only if the email has not changed since. */
  ifMatch: readonly string[] | undefined;
}
/** Runs an edit in a transaction and turns the result into a response. */
type Settle<A> = (effect: (tx: Transaction) => Promise<AuthoredEmail>) => Promise<A>;

/** The edit of an email, prepared for one of its revisions. */
interface PreparedEdit extends Prepared {
  revision: number;
}

/** Changes the given fields, and checks the result like a new email. */
export async function updateEmail<A>(authoring: Authoring, by: Author, edit: Edit, settle: Settle<A>): Promise<A> {
  return untilCurrent(async () => {
    const { id, change, restoredFrom } = edit;
    const before = isAssetId(id) ? await findEmail(authoring.db, by.tenantId, id) : undefined;
    if (!before && change && restoredFrom === null)
      refuseShape(await prepareEmail(authoring, by.tenantId, draftOf(noEmail, change)));
    const prepared = before &&
      change && {
        ...(await prepareEmail(authoring, by.tenantId, draftOf(before, change))),
        revision: before.revision,
      };
    return settle((tx) => changeIf(tx, authoring, by, edit, prepared));
  });
}

/** What changing an email would refuse: it is done, and undone. */
export function tryUpdate(authoring: Authoring, by: Author, id: string, change: Change): Promise<AuthoredEmail> {
  const edit = { id, change, restoredFrom: null, ifMatch: undefined };
  return updateEmail(authoring, by, edit, (effect) => authoring.db.rehearse(by.tenantId, effect, tryAgain));
}

/** Repeats it while others change what it was prepared with. */
export async function untilCurrent<A>(attempt: () => Promise<A>): Promise<A> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof OutOfDate)) throw error;
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

/** A design is compiled anew: with the saved blocks of today. */
function changeTo(kept: Revision): Change {
  const { name, subject, preheader, html, design, senderEmail, senderName, replyTo, topicId } = kept;
  const fromEmail = { email: senderEmail, name: senderName };
  const languages = Object.fromEntries(
    Object.entries(kept.translations ?? {}).map(([tag, { subject, preheader, html, design }]) => {
      return [tag, { subject, preheader, ...(design ? { design } : { html }) }];
    }),
  );
  return {
    ...{ name, subject, preheader, ...(design ? { design } : { html }), fromEmail, replyTo, topicId },
    ...{ languages, isWhole: true },
  };
}

async function changeIf(
  tx: Transaction,
  { mostSaves }: Authoring,
  by: Author,
  { id, change, restoredFrom, ifMatch }: Edit,
  prepared: PreparedEdit | undefined,
): Promise<AuthoredEmail> {
  const { tenantId } = by;
  if (prepared) await holdBasis(tx, tenantId, prepared.basis);
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
  if (prepared?.revision !== stored.revision) throw new OutOfDate();
  const content = merge(stored, change, prepared);
  await checkEmail(tx, tenantId, content, prepared, places, id);
  // Nothing changed, so there is nothing to save and no conflict with other edits.
  if (changedFields(stored, content).length === 0) return stored;
  return saveEmail(tx, by, stored, content, { restoredFrom, mostSaves });
}

/** Saves a locked email, with its history. */
export async function saveEmail(
  tx: Transaction,
  by: Author,
  stored: AuthoredEmail,
  content: Content,
  { restoredFrom, mostSaves }: { restoredFrom: number | null; mostSaves: number },
): Promise<AuthoredEmail> {
  await keepBefore(tx, by.tenantId, stored.id);
  const email = await updated(tx, by, stored.id, content);
  if (!isDeepStrictEqual(stored.translations, content.translations))
    await storeTranslations(tx, by.tenantId, stored.id, content.translations);
  await keepSave(tx, by.tenantId, email, { before: stored, restoredFrom, most: mostSaves });
  return email;
}

async function updated(tx: Transaction, by: Author, id: string, content: Content): Promise<AuthoredEmail> {
  try {
    const email = await updateEmailRow(tx, by, id, content);
    if (!email) throw notFound('email');
    return email;
  } catch (error) {
    if (violatedUnique(error) === 'email_live_name') throw alreadyExists(content.name);
    throw error;
  }
}

type Texts = Pick<AuthoredEmail, 'subject' | 'preheader' | 'html' | 'text' | 'design' | 'compiledBy' | 'translations'>;

/** In place of an email that does not exist: what is wrong with a change is told before that. */
const noEmail: Texts = {
  ...{ subject: '', preheader: null, html: '-', text: null, design: null, compiledBy: null, translations: {} },
};

function draftOf(stored: Texts, change: Change): Draft {
  const { subject = stored.subject, preheader = stored.preheader } = change;
  const changes = change.languages === undefined ? undefined : readLanguages(change.languages, 'PATCH');
  const translations = draftTranslations(change.isWhole ? {} : stored.translations, changes);
  return { subject, preheader: preheader || null, body: bodyOf(stored, change), translations };
}

/** New html ends a design, and so does null. One that an older compiler made is compiled anew. */
function bodyOf(stored: Texts, { html, design }: Change): Draft['body'] {
  if (isGiven(design)) {
    if (html !== undefined) throw notBoth();
    return { toCompile: design };
  }
  if (html !== undefined || design === null)
    return { html: html ?? stored.html, text: null, design: null, compiledBy: null };
  if (stored.design && stored.compiledBy !== compilerVersion) return { toCompile: stored.design };
  return stored;
}

/** Null clears an optional field; a sender is replaced as a whole. */
function merge(stored: AuthoredEmail, change: Change, { made }: Prepared): Content {
  const { name, subject, fromEmail, replyTo, preheader, folderId, topicId } = change;
  return {
    name: name ?? stored.name,
    ...made,
    subject: subject ?? stored.subject,
    senderEmail: fromEmail?.email ?? stored.senderEmail,
    senderName: fromEmail ? (fromEmail.name ?? null) : stored.senderName,
    replyTo: replyTo === undefined ? stored.replyTo : replyTo,
    preheader: preheader === undefined ? stored.preheader : preheader || null,
    directoryId: folderId === undefined ? stored.directoryId : folderId,
    topicId: topicId === undefined ? stored.topicId : topicId,
  };
}
