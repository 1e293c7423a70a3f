import type { Database } from '../../db/database.js';
import type { Page, PageOf } from '../../db/paged.js';
import { notFound } from '../../http/api-error.js';
import { isAssetId } from '../../lib/ids.js';
import { getContactByEmail } from '../contacts/index.js';
import { selectLiveIds } from '../emails/index.js';
import { selectVersions, type VersionRow } from './queries.js';

/** Of one asset, of one contact, of both or of all; of those contacts whom a search finds. Throws when what is named is not there. */
export async function listVersions(
  db: Database,
  tenantId: number,
  keys: { assetId: string | undefined; email: string | undefined; search: string | undefined },
  now: string,
  page: PageOf,
): Promise<Page<VersionRow>> {
  const { assetId, email, search } = keys;
  if (assetId !== undefined) {
    const isLive = isAssetId(assetId) && (await selectLiveIds(db, tenantId, [assetId])).has(assetId);
    if (!isLive) throw notFound('email');
  }
  const contact = email === undefined ? undefined : await getContactByEmail(db, tenantId, email);
  return selectVersions(db, tenantId, { assetId, contactId: contact?.id, search, now }, page);
}
