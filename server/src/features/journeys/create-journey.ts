import type { BodyValue, createJourney as route } from '@rapport/contract';
import type { Transaction } from '../../db/database.js';
import { invalid } from '../../http/api-error.js';
import { newAssetId } from '../../lib/ids.js';
import type { SecretBox } from '../../lib/secret-box.js';
import { isFolder, refuseUnfit } from './authoring.js';
import { sealHeaders } from './headers/headers.js';
import { type By, findDetails, insertJourney, type JourneyDetails } from './queries.js';

/** Makes a draft: what its definition says is looked at when it is activated. */
export async function createJourney(
  tx: Transaction,
  box: SecretBox,
  by: By,
  body: BodyValue<typeof route>,
): Promise<JourneyDetails> {
  const { name, type, tags = [], folderId = null } = body;
  refuseUnfit(body.definition);
  if (!(await isFolder(tx, by.tenantId, folderId))) throw invalid('folderId', 'is not a folder');
  const definition = await sealHeaders(tx, box, by.tenantId, body.definition ?? null, null);
  const journeyId = newAssetId();
  await insertJourney(tx, by, journeyId, { name, type, tags: [...new Set(tags)], folderId, definition });
  return (await findDetails(tx, by.tenantId, journeyId)) as JourneyDetails;
}
