import type { Database } from '../../db/database.js';
import { pageReader } from '../../db/paged.js';
import { type DynamicListing, type DynamicListRow, type StaticListRow, selectStaticLists } from './queries.js';

interface ListFilter {
  type: 'static' | 'dynamic' | undefined;
  search: string | undefined;
  limit: number;
  offset: number;
}

/** One page of static rows followed by dynamic rows; a page may contain both. */
export async function listLists(
  db: Database,
  dynamic: DynamicListing,
  tenantId: number,
  { type, search, limit, offset }: ListFilter,
): Promise<{ rows: (StaticListRow | DynamicListRow)[]; total: number }> {
  const runner = pageReader(db, tenantId, { limit, offset, isSearch: search !== undefined });
  const staticLimit = type === 'dynamic' ? 0 : limit;
  const found = await selectStaticLists(runner, tenantId, dynamic.count(tenantId, search), search, staticLimit, offset);
  if (type === 'static') return { rows: found.rows, total: found.staticTotal };
  const before = type === 'dynamic' ? 0 : found.staticTotal;
  const missing = limit - found.rows.length;
  const dynamicOffset = Math.max(0, offset - before);
  const wanted = missing > 0 && dynamicOffset < found.dynamicTotal;
  const page = { limit: missing, offset: dynamicOffset };
  const others = wanted ? await runner.rows(dynamic.rows(tenantId, search, page)) : [];
  return { rows: [...found.rows, ...others], total: before + found.dynamicTotal };
}
