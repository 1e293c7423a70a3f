import type { Database } from '../../db/database.js';
import { type Page, type PageOf, pageReader } from '../../db/paged.js';
import { searchedGrams } from '../../lib/grams.js';
import { foldCase } from '../../lib/text.js';
import { type ContactRow, selectContacts, selectContactsByIds } from './queries.js';
import { matchingContacts, pageOfMatches } from './search/queries.js';

export async function listContacts(
  db: Database,
  tenantId: number,
  search: string | undefined,
  page: PageOf,
): Promise<Page<ContactRow>> {
  if (search === undefined) return selectContacts(db, tenantId, page);
  const folded = foldCase(search);
  const matching = matchingContacts(tenantId, folded, searchedGrams(tenantId, search), [...folded].length < 3);
  const found = await pageOfMatches(db.slow(tenantId), matching, page);
  const rows = found?.ids
    ? await selectContactsByIds(pageReader(db, tenantId, { ...page, offset: 0, isFat: true }), tenantId, found.ids)
    : [];
  return { rows, total: found?.total ?? 0 };
}
