import type { Database } from '../../db/database.js';
import type { Page, PageOf } from '../../db/paged.js';
import { notFound } from '../../http/api-error.js';
import { isAssetId } from '../../lib/ids.js';
import { getContact, getContactByEmail } from '../contacts/index.js';
import { selectLiveIds } from '../emails/index.js';
import { selectVersions, type VersionRow } from './queries.js';

interface VersionKeys {
  assetId: string | undefined;
  email: string | undefined;
  contactId: string | undefined;
  search: string | undefined;
}

/** Versions by asset, by contact, by both or all; or of the contacts that a search finds. Throws if the named asset or contact does not exist. */
export async function listVersions(
  db: Database,
  tenantId: number,
  keys: VersionKeys,
  now: string,
  page: PageOf,
): Promise<Page<VersionRow>> {
  const { assetId, email, contactId, search } = keys;
  if (assetId !== undefined) {
    const isLive = isAssetId(assetId) && (await selectLiveIds(db, tenantId, [assetId])).has(assetId);
    if (!isLive) throw notFound('email');
  }
  const byEmail = email === undefined ? undefined : await getContactByEmail(db, tenantId, email);
  const byId = contactId === undefined ? undefined : await getContact(db, tenantId, contactId);
  // They name two different contacts: nothing matches both.
  if (byEmail && byId && byEmail.id !== byId.id) return { rows: [], total: 0 };
  return selectVersions(db, tenantId, { assetId, contactId: (byEmail ?? byId)?.id, search, now }, page);
}
