import type { Database } from '../../db/database.js';
import { ApiError, invalid, notFound } from '../../http/api-error.js';
import { isAssetId } from '../../lib/ids.js';
import { normalizeEmail } from '../../lib/text.js';
import { holdContacts } from '../contacts/index.js';
import { selectLiveIds } from '../emails/index.js';
import { insertActivity } from './activity/queries.js';
import { deleteVersionRow } from './queries.js';

/** From then on the contact gets the default. */
export async function deleteVersion(
  db: Database,
  tenantId: number,
  keys: { assetId: string | undefined; email: string | undefined },
): Promise<{ assetId: string; email: string; success: boolean }> {
  if (!keys.assetId) throw invalid('assetId', 'is required');
  if (!keys.email) throw invalid('email', 'is required');
  const { assetId } = keys;
  const email = normalizeEmail(keys.email);
  await db.transaction(async (tx) => {
    const assets = isAssetId(assetId) ? await selectLiveIds(tx, tenantId, [assetId]) : new Set();
    if (!assets.has(assetId)) throw notFound('email');
    const contactId = (await holdContacts(tx, tenantId, [email])).get(email);
    if (contactId === undefined) throw new ApiError('BAS-E-002');
    if (!(await deleteVersionRow(tx, tenantId, assetId, contactId))) throw notFound('version');
    await insertActivity(tx, tenantId, [{ assetId, email, outcome: 'deleted', reason: null }]);
  });
  return { assetId, email, success: true };
}
