// What this process has claimed from a queue to do outside a transaction, and until when it certainly still holds it. Leases are renewed; work
// that a killed process held is due again when its lease expires.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../lib/clock.js';
import { newUuid } from '../lib/ids.js';

export interface Leased {
  tenantId: number;
  id: string;
}

interface LeaseRules {
  clock: Clock;
  /** How long a lease lasts, in milliseconds. */
  lastsMs: number;
  /** Work starts only with more than this left of its lease, in milliseconds. */
  neededMs: number;
  /** Extends these leases to `seconds` from now, and returns the ids of those that the owner still holds. */
  renew(owner: string, seconds: number, leased: readonly Leased[]): Promise<ReadonlySet<string>>;
}

export class Leases {
  /** Identifies this process in the rows that it claims. */
  readonly owner = newUuid();
  private readonly held = new Map<string, Leased & { until: number }>();

  constructor(private readonly rules: LeaseRules) {}

  get seconds(): number {
    return this.rules.lastsMs / 1000;
  }

  /**
   * Claims, and notes what was claimed. The lease counts from before the claim, by this process's clock: the database counts from a later moment.
   */
  async take<Row>(tenantId: number, claim: () => Promise<Row[]>, idOf: (row: Row) => string): Promise<Row[]> {
    const until = this.newEnd();
    const rows = await claim();
    for (const row of rows) this.held.set(idOf(row), { tenantId, id: idOf(row), until });
    return rows;
  }

  /** Whether there is time to work on it. Otherwise another process may have it before the work is done. */
  isCertain(id: string): boolean {
    const until = this.held.get(id)?.until ?? Number.NEGATIVE_INFINITY;
    return until - this.rules.clock.elapsed() > this.rules.neededMs;
  }

  /** They are done, back in the queue, or left to expire. */
  drop(ids: Iterable<string>): void {
    for (const id of ids) this.held.delete(id);
  }

  async renew(): Promise<void> {
    const held = [...this.held.values()];
    if (held.length === 0) return;
    const until = this.newEnd();
    const kept = await this.rules.renew(this.owner, this.seconds, held);
    for (const each of held) if (kept.has(each.id)) each.until = until;
  }

  /** Resolves once nothing is held any more. */
  async ended(): Promise<void> {
    while (this.held.size > 0) await sleep(10);
  }

  private newEnd(): number {
    return this.rules.clock.elapsed() + this.rules.lastsMs;
  }
}
