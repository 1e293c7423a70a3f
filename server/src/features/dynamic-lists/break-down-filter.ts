import type { DataValue, breakDownFilter as route } from '@rapport/contract';
import type { Database } from '../../db/database.js';
import { breakDown, countFilters, type Filter, faulty, readMoment } from '../filter-language/index.js';
import { checkReferences } from './check-references.js';
import { countedAmong } from './preview.js';

/** Groups and conditions. The statement has two sums over all conditions for each; people do not read more anyway. */
const mostNodes = 60;

/** What each part of a filter does: how many contacts are left after it, and how many there would be without it. A slow read. */
export async function breakDownFilter(
  db: Database,
  tenantId: number,
  filter: Filter,
): Promise<DataValue<typeof route>> {
  await checkReferences(db, tenantId, filter);
  const parts = breakDown(filter);
  if (parts.length > mostNodes)
    throw faulty([{ path: 'filter', words: `at most ${mostNodes} groups and conditions can be broken down` }]);
  const slow = db.slow(tenantId);
  const moment = await readMoment(db, tenantId);
  const chosen = await countedAmong(slow, tenantId, moment);
  const filters = parts.flatMap(({ upTo, without }) => [upTo, without]);
  const found = await countFilters(slow, tenantId, moment, filter, [filter, ...filters], chosen);
  const share = chosen ? moment.contacts / Math.max(1, chosen.length) : 1;
  const [count = 0, ...counts] = found.map((one) => Math.round(one * share));
  return {
    count,
    isExact: chosen === undefined,
    nodes: parts.map(({ path }, i) => ({ path, left: counts[2 * i] ?? 0, without: counts[2 * i + 1] ?? 0 })),
  };
}
