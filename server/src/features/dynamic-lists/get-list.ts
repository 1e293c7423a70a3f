import type { DataValue, getDynamicList as route } from '@rapport/contract';
import type { Database } from '../../db/database.js';
import { notFound } from '../../http/api-error.js';
import { isAssetId } from '../../lib/ids.js';
import type { Subjects } from '../filter-language/index.js';
import { findDetails } from './freshness/queries.js';
import { warningsOf } from './warnings.js';

/** A list, its size, how far behind it is, and what may be wrong with its filter. */
export async function getDetails(
  db: Database,
  tenantId: number,
  listId: string,
  subjects: Subjects,
): Promise<DataValue<typeof route>> {
  const found = isAssetId(listId) ? await findDetails(db, tenantId, listId) : undefined;
  if (!found) throw notFound('dynamic list');
  const { isBuilt, attempts, ...list } = found;
  const warnings = await warningsOf(db, tenantId, list.filter, subjects);
  if (attempts > 0 && !isBuilt)
    warnings.push(`Finding the members failed ${attempts === 1 ? 'once' : `${attempts} times`}; it is tried again.`);
  return { ...list, state: isBuilt ? 'ready' : 'building', warnings };
}
