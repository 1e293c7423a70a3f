import type { Database } from '../../db/database.js';
import { searchedGrams } from '../../lib/grams.js';
import { foldCase } from '../../lib/text.js';
import { type ContactRow, selectContacts, selectContactsByIds } from './queries.js';
import { matchingContacts, pageOfMatches } from './search/queries.js';

export async function listContacts(
  db: Database,
  tenantId: number,
  search: string | undefined,
  limit: number,
  offset: number,
): Promise<{ rows: ContactRow[]; total: number }> {
  if (search === undefined) {
    const rows = await selectContacts(db.patient, tenantId, limit, offset);
    return { rows: rows.filter((row) => row.id !== null) as ContactRow[], total: rows[0]?.total ?? 0 };
  }
  const folded = foldCase(search);
  const matching = matchingContacts(tenantId, folded, searchedGrams(tenantId, search), [...folded].length < 3);
  const [page] = await pageOfMatches(db, matching, limit, offset);
  const rows = page?.ids ? await selectContactsByIds(db, tenantId, page.ids) : [];
  return { rows, total: page?.total ?? 0 };
}
