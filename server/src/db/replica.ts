import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../lib/clock.js';
import type { Runner } from './runner.js';
import { sql } from './sql.js';

// Milliseconds between two checks of a replica that has not caught up yet.
const lookMs = 15;
// Milliseconds for which an unavailable or lagging replica is not used: only the first read waits for it.
const restMs = 5000;

/**
 * Decides whether a read may use the replica. It may once the replica has everything that was committed when the read was requested, so callers
 * see their own writes, whichever node took them.
 */
export class Replica {
  private restsUntil = 0;

  constructor(
    private readonly primary: Runner,
    private readonly replica: Runner,
    /** Milliseconds that a read waits for it to catch up. */
    private readonly mostLag: number,
    private readonly clock: Clock,
  ) {}

  async hasCaughtUp(): Promise<boolean> {
    if (this.clock.elapsed() < this.restsUntil) return false;
    const isThere = await this.wait().catch(() => false);
    if (!isThere) this.rest();
    return isThere;
  }

  /** Called when it failed. */
  rest(): void {
    this.restsUntil = this.clock.elapsed() + restMs;
  }

  private async wait(): Promise<boolean> {
    const until = this.clock.elapsed() + this.mostLag;
    const now = await this.primary.row(sql<{ lsn: string }>`select pg_current_wal_flush_lsn()::text as lsn`);
    while (!(await this.has(now?.lsn ?? ''))) {
      if (this.clock.elapsed() >= until) return false;
      await sleep(lookMs);
    }
    return true;
  }

  /** A promoted replica is no longer one. */
  private async has(lsn: string): Promise<boolean> {
    const seen = await this.replica.row(
      sql<{ has: boolean | null }>`select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn as has`,
    );
    return seen?.has ?? false;
  }
}
