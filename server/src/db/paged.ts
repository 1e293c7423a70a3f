import type { Database, Runner } from './database.js';
import { type Sql, sql } from './sql.js';

/** Which part of a list is requested. */
export interface PageOf {
  limit: number;
  offset: number;
  /** Search and filter matches have to be found first: that may take long, and is planned for its values. */
  isSearch?: boolean;
  /** A row may have 32 KiB. */
  isFat?: boolean;
}

export interface Page<Row> {
  rows: Row[];
  total: number;
}

// Skipping 1,000 rows of an index takes about a millisecond.
const farOffset = 1000;
// Rows. A page has 20 by default, 640 KB of fat rows at most; 200 are 6 MB.
const fewFat = 20;

/**
 * Chooses the runner for a page: a first page is a short read; a search may have many candidates to check and a late page many rows to skip, and
 * those must not delay acknowledgements.
 */
export function pageReader(
  db: Database,
  tenantId: number,
  { limit, offset, isSearch = false, isFat = false }: PageOf,
): Runner {
  if (isFat && limit > fewFat) return db.bulky(tenantId);
  return isSearch || offset > farOffset ? db.slow(tenantId) : db;
}

/** A page and the number of all rows: one snapshot, one round trip. `total` is an expression, `rows` has limit and offset. */
export async function paged<Row>(
  db: Database,
  tenantId: number,
  page: PageOf,
  { total, rows }: { total: Sql; rows: Sql<Row> },
): Promise<Page<Row>> {
  const found = await pageReader(db, tenantId, page).rows(sql<Row & { total: number }>`
    select t.total, p.* from (select ${total} as total) t left join lateral (${rows}) p on true`);
  return unwrapPage(found);
}

/** Takes a page from rows that carry the total. A single row with only the total means that the page is empty. */
export function unwrapPage<Row>(found: (Row & { total: number })[]): Page<Row> {
  const [first] = found;
  if (!first) return { rows: [], total: 0 };
  const isEmpty =
    found.length === 1 && Object.entries(first).every(([name, value]) => name === 'total' || value === null);
  return { rows: isEmpty ? [] : found, total: first.total };
}
