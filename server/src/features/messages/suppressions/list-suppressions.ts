import type { Database } from '../../../db/database.js';
import type { Page, PageOf } from '../../../db/paged.js';
import { getContact } from '../../contacts/index.js';
import { findSuppression, type SuppressionRow, selectSuppressions } from './queries.js';

interface Asked {
  search: string | undefined;
  contactId: string | undefined;
}

/** All suppressions of a tenant; or that of one contact's address, found by the contact's id. */
export async function listSuppressions(
  db: Database,
  tenantId: number,
  { search, contactId }: Asked,
  page: PageOf,
): Promise<Page<SuppressionRow>> {
  const wanted = search?.toLowerCase();
  if (contactId === undefined) return selectSuppressions(db, tenantId, wanted, page);
  const { email } = await getContact(db, tenantId, contactId);
  const found = email.includes(wanted ?? '') ? await findSuppression(db, tenantId, email) : undefined;
  return { rows: found && page.offset === 0 ? [found] : [], total: found ? 1 : 0 };
}
