// The newest events of a tenant, and what arrived since the last poll.
import type { Database } from '../../../db/database.js';
import { pageReader } from '../../../db/paged.js';
import { invalid } from '../../../http/api-error.js';
import { type RecentRow, readLastArrival, selectRecent } from './queries.js';

interface RecentQuery {
  eventName: string | undefined;
  after: string | undefined;
  limit: number;
}

/** `cursor` is the number of the last arrival: a poll that finds nothing new costs one index descent. */
export async function readRecent(
  db: Database,
  tenantId: number,
  { eventName, after, limit }: RecentQuery,
): Promise<{ events: RecentRow[]; cursor: string }> {
  const seen = after === undefined ? undefined : numberOf(after);
  const last = await readLastArrival(db, tenantId);
  const cursor = String(last);
  if (seen === last) return { events: [], cursor };
  // A restored backup may have fewer arrivals than the cursor says.
  const from = seen === undefined || seen > last ? -1 : seen;
  const reader = pageReader(db, tenantId, { limit, offset: 0, isFat: true });
  return { events: await selectRecent(reader, tenantId, { eventName, after: from, limit }, last), cursor };
}

function numberOf(cursor: string): number {
  if (!/^\d{1,15}$/.test(cursor))
    throw invalid('after', 'must be a cursor from an earlier answer; leave it out to begin');
  return Number(cursor);
}
