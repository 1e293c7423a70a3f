import type { Database } from '../../db/database.js';
import { pageReader } from '../../db/paged.js';
import { type DynamicListRow, type StaticListRow, selectDynamicLists, selectStaticLists } from './queries.js';

export interface ListFilter {
  type: 'static' | 'dynamic' | undefined;
  search: string | undefined;
  limit: number;
  offset: number;
}

/** One page of static rows followed by dynamic rows; a page may straddle both. */
export async function listLists(
  db: Database,
  tenantId: number,
  { type, search, limit, offset }: ListFilter,
): Promise<{ rows: (StaticListRow | DynamicListRow)[]; total: number }> {
  const runner = pageReader(db, tenantId, { limit, offset, isSearch: search !== undefined });
  const staticLimit = type === 'dynamic' ? 0 : limit;
  const found = await selectStaticLists(runner, tenantId, search, staticLimit, offset);
  if (type === 'static') return { rows: found.rows, total: found.staticTotal };
  const before = type === 'dynamic' ? 0 : found.staticTotal;
  const missing = limit - found.rows.length;
  const dynamicOffset = Math.max(0, offset - before);
  const wanted = missing > 0 && dynamicOffset < found.dynamicTotal;
  const dynamic = wanted ? await selectDynamicLists(runner, tenantId, search, missing, dynamicOffset) : [];
  return { rows: [...found.rows, ...dynamic], total: before + found.dynamicTotal };
}
