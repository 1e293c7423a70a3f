import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../db/database.js';
import { ApiError } from '../../http/api-error.js';
import { isPending, lastPending } from './queries.js';

const busyMs = 5;
const mostTurns = 5000;

/**
 * Applies what was acknowledged before now: a synchronous write must not overtake an asynchronous one of these kinds.
 * Costs one look at an index when nothing is pending.
 */
export async function applyPending(
  db: Database,
  serve: (tenantId: number) => Promise<number | 'busy'>,
  tenantId: number,
  kinds: readonly string[],
): Promise<void> {
  const last = await lastPending(db, tenantId, kinds);
  if (last === undefined) return;
  for (let turn = 0; turn < mostTurns; turn++) {
    if (!(await isPending(db, tenantId, last))) return;
    if ((await serve(tenantId)) === 'busy') await sleep(busyMs);
  }
  throw new ApiError('NOT_READY', { reason: 'earlier writes are still being applied; try again' });
}
