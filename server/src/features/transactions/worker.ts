import type { Database } from '../../db/database.js';
import type { Clock } from '../../lib/clock.js';
import { type Loop, startLoop } from '../../work/loop.js';
import { tenantsWithWork } from './queries.js';

/** Serves one tenant for one turn. Answers how much was done, or `busy` when another worker has it. */
export type Serve = (tenantId: number) => Promise<number | 'busy'>;

/** Applies acknowledged writes, giving tenants fair turns: next is the one that was served longest ago. */
export function startTransactionWorker(options: {
  db: Database;
  serve: Serve;
  clock: Clock;
  lanes: number;
  pollMs: number;
  onError(error: Error): void;
}): Loop {
  const { db, serve, clock } = options;
  const servedAt = new Map<number, number>();
  const beingServed = new Set<number>();

  async function turn(): Promise<'worked' | 'idle'> {
    const tenants = (await tenantsWithWork(db)).filter((tenantId) => !beingServed.has(tenantId));
    tenants.sort((a, b) => (servedAt.get(a) ?? 0) - (servedAt.get(b) ?? 0));
    for (const tenantId of tenants) {
      if (beingServed.has(tenantId)) continue;
      beingServed.add(tenantId);
      servedAt.set(tenantId, clock.elapsed());
      try {
        const done = await serve(tenantId);
        if (done !== 'busy' && done > 0) return 'worked';
      } finally {
        beingServed.delete(tenantId);
      }
    }
    if (tenants.length === 0) servedAt.clear();
    return 'idle';
  }

  return startLoop({ turn, lanes: options.lanes, pollMs: options.pollMs, onError: options.onError });
}
