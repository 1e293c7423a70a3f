import type { BodyValue, createEmail as route } from '@rapport/contract';
import type { Transaction } from '../../db/database.js';
import { newAssetId } from '../../lib/ids.js';
import { holdBasis } from './authoring/hold-basis.js';
import { type Draft, type Prepared, prepareEmail } from './authoring/prepare-email.js';
import { alreadyExists, checkEmail, findPlaces } from './check-email.js';
import { keepSave } from './history/keep-save.js';
import { storeTranslations } from './languages/queries.js';
import { draftTranslations, notBoth, readLanguages } from './languages/read-languages.js';
import { type AuthoredEmail, type Content, insertEmail } from './queries.js';
import { type Authoring, tryAgain, untilCurrent } from './update-email.js';

type Body = BodyValue<typeof route>;

export async function createEmail(
  tx: Transaction,
  by: { tenantId: number; accountId: number },
  body: Body,
  prepared: Prepared,
  mostSaves: number,
): Promise<AuthoredEmail> {
  const content = contentOf(body, prepared);
  await holdBasis(tx, by.tenantId, prepared.basis);
  await checkEmail(tx, by.tenantId, content, prepared, await findPlaces(tx, by.tenantId, content));
  const email = await insertEmail(tx, by, newAssetId(), content);
  // A concurrent request took the name between the two statements.
  if (!email) throw alreadyExists(content.name);
  if (email.languages.length > 0) await storeTranslations(tx, by.tenantId, email.id, content.translations);
  await keepSave(tx, by.tenantId, email, { before: undefined, restoredFrom: null, most: mostSaves });
  return email;
}

/** What creating an email would refuse: it is done, and undone. */
export function tryCreate(
  authoring: Authoring,
  by: { tenantId: number; accountId: number },
  body: Body,
): Promise<AuthoredEmail> {
  const { db, mostSaves } = authoring;
  return untilCurrent(async () => {
    const prepared = await prepareEmail(authoring, by.tenantId, draftOf(body));
    return db.rehearse(by.tenantId, (tx) => createEmail(tx, by, body, prepared, mostSaves), tryAgain);
  });
}

export function draftOf({ subject, preheader, html = '', design, languages }: Body): Draft {
  if (design !== undefined && html !== '') throw notBoth();
  const body = design === undefined ? { html, text: null, design: null, compiledBy: null } : { toCompile: design };
  const translations = draftTranslations({}, readLanguages(languages, 'POST'));
  return { subject, preheader: preheader || null, body, translations };
}

function contentOf(body: Body, { made }: Prepared): Content {
  return {
    name: body.name,
    subject: body.subject,
    preheader: body.preheader || null,
    ...made,
    senderEmail: body.fromEmail.email,
    senderName: body.fromEmail.name ?? null,
    replyTo: body.replyTo ?? null,
    directoryId: body.folderId ?? null,
    topicId: body.topicId ?? null,
  };
}
