import type { Database } from '../../db/database.js';
import type { Page, PageOf } from '../../db/paged.js';
import { isAssetId } from '../../lib/ids.js';
import { findContactByEmail, normalizeEmail } from '../contacts/index.js';
import { selectLiveIds } from '../emails/index.js';
import { selectVersions, type VersionRow } from './queries.js';

const none = { rows: [], total: 0 };

/** Of one asset, of one contact, of both or of all. What is not there has no versions. */
export async function listVersions(
  db: Database,
  tenantId: number,
  keys: { assetId: string | undefined; email: string | undefined },
  now: string,
  page: PageOf,
): Promise<Page<VersionRow>> {
  const { assetId, email } = keys;
  if (assetId !== undefined) {
    if (!isAssetId(assetId) || !(await selectLiveIds(db, tenantId, [assetId])).has(assetId)) return none;
  }
  const contact = email === undefined ? undefined : await findContactByEmail(db, tenantId, normalizeEmail(email));
  if (email !== undefined && !contact) return none;
  return selectVersions(db, tenantId, { assetId, contactId: contact?.id, now }, page);
}
