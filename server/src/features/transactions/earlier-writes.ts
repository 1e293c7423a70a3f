import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../db/database.js';
import { ApiError } from '../../http/api-error.js';
import type { Clock } from '../../lib/clock.js';
import type { Appliers } from './appliers.js';
import { firstPending, lastPending } from './pending/queries.js';

const patienceMs = 5000;
const pollMs = 10;

interface Waiter {
  /** The last write that must be applied first. */
  seq: number;
  until: number;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * A request that changes users or organizations at once must not overtake earlier acknowledged writes to them. It waits
 * until workers have applied those, for a bounded time. Costs one index read when nothing is pending; concurrent requests of one
 * tenant share it.
 */
export class EarlierWrites {
  private readonly waiting = new Map<number, Waiter[]>();

  constructor(
    private readonly db: Database,
    private readonly appliers: Appliers,
    private readonly clock: Clock,
  ) {}

  async applied(tenantId: number): Promise<void> {
    const seq = await lastPending(this.db, tenantId, this.appliers.kindsOfUsers());
    if (seq === undefined) return;
    await new Promise<void>((resolve, reject) => {
      const waiter = { seq, until: this.clock.elapsed() + patienceMs, resolve, reject };
      const others = this.waiting.get(tenantId);
      if (others) others.push(waiter);
      else {
        this.waiting.set(tenantId, [waiter]);
        void this.watch(tenantId);
      }
    });
  }

  private async watch(tenantId: number): Promise<void> {
    for (let waiters = this.waiting.get(tenantId); waiters; waiters = this.waiting.get(tenantId)) {
      // A request that comes while a query is running asks again: the result may be older than its write.
      const asked = [...waiters];
      const settled = new Set<Waiter>();
      const settle = (waiter: Waiter, how: () => void) => {
        settled.add(waiter);
        how();
      };
      try {
        const first = (await firstPending(this.db, tenantId)) ?? Number.POSITIVE_INFINITY;
        for (const waiter of asked) {
          if (waiter.seq < first) settle(waiter, waiter.resolve);
          else if (waiter.until <= this.clock.elapsed()) settle(waiter, () => waiter.reject(tooLong()));
        }
      } catch (error) {
        for (const waiter of asked) settle(waiter, () => waiter.reject(error));
      }
      const left = (this.waiting.get(tenantId) ?? []).filter((waiter) => !settled.has(waiter));
      if (left.length === 0) this.waiting.delete(tenantId);
      else {
        this.waiting.set(tenantId, left);
        await sleep(pollMs);
      }
    }
  }
}

function tooLong(): ApiError {
  const reason = 'writes that were acknowledged earlier are still being applied; try again';
  return new ApiError('NOT_READY', { reason }, { headers: { 'retry-after': '2' } });
}
