import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from '../../../db/database.js';
import type { Interest } from './interest.js';
import { selectWriters } from './queries.js';

const looks = 5;
const betweenMs = 20;

/**
 * A transaction that writes what filters read goes by the filters that existed when it asked, and holds a shared lock until it ends. A build
 * of a new filter would miss what such a transaction commits later. So the build begins only when every transaction has ended that held the
 * lock when the filter appeared. Neither those transactions, nor others, nor edits wait for it.
 */
export class OlderWriters {
  /** Transactions that have not ended, by the filters that they may not know. Empty if all have ended. */
  private readonly known = new WeakMap<Interest, ReadonlySet<string>>();

  /** Looks a few times; the caller tries again later. */
  async areGone(tx: Transaction, tenantId: number, interest: Interest): Promise<boolean> {
    for (let look = 0; ; look++) {
      const before = this.known.get(interest);
      if (before?.size === 0) return true;
      const now = await selectWriters(tx, tenantId);
      const left = new Set(before ? now.filter((writer) => before.has(writer)) : now);
      this.known.set(interest, left);
      if (left.size === 0) return true;
      if (look === looks) return false;
      await sleep(betweenMs);
    }
  }
}
