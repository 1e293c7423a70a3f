import type { WaitingWork } from '@rapport/contract';
import type { Static } from 'typebox';
import type { Runner } from '../../db/database.js';
import type { Queue } from '../../work/queue.js';

export type WaitingRow = Static<typeof WaitingWork>;

/** The operator takes turns for slow reads like a tenant. */
export const administration = 0;

/** What waits in all queues, by tenant and kind, longest waiting first. */
export async function listWaiting(db: Runner, queues: readonly Queue[]): Promise<WaitingRow[]> {
  const found = await Promise.all(
    queues.map(async (queue) =>
      (await queue.waiting(db)).map(({ count, ...row }) => ({ ...row, queue: queue.name, waiting: count })),
    ),
  );
  return found.flat().sort((a, b) => (a.since < b.since ? -1 : 1));
}
