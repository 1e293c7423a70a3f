import type { BodyValue, createEmail as route } from '@rapport/contract';
import type { Transaction } from '../../db/database.js';
import { newAssetId } from '../../lib/ids.js';
import { alreadyExists, checkEmail, findPlaces } from './check-email.js';
import { keepSave } from './history/keep-save.js';
import { type Content, insertEmail, type StoredEmail } from './queries.js';
import type { Checked } from './rendering/texts.js';

export async function createEmail(
  tx: Transaction,
  by: { tenantId: number; accountId: number },
  body: BodyValue<typeof route>,
  checked: Checked,
  mostSaves: number,
): Promise<StoredEmail> {
  const content = contentOf(body);
  await checkEmail(tx, by.tenantId, content, checked, await findPlaces(tx, by.tenantId, content));
  const email = await insertEmail(tx, by, newAssetId(), content);
  // A concurrent request took the name between the two statements.
  if (!email) throw alreadyExists(content.name);
  await keepSave(tx, by.tenantId, email, { before: undefined, restoredFrom: null, most: mostSaves });
  return email;
}

export function contentOf(body: BodyValue<typeof route>): Content {
  return {
    name: body.name,
    subject: body.subject,
    preheader: body.preheader || null,
    html: body.html,
    senderEmail: body.fromEmail.email,
    senderName: body.fromEmail.name ?? null,
    replyTo: body.replyTo ?? null,
    directoryId: body.folderId ?? null,
    topicId: body.topicId ?? null,
  };
}
