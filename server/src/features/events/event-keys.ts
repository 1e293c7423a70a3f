import { hash } from 'node:crypto';
import type { Runner, Transaction } from '../../db/database.js';
import { countKeyPages, deleteKeys, insertKeys, sweepKeyPages } from './queries.js';

/** The hash of an event's id in the table of ids: 32 hex digits. */
function keyOf(eventId: string): string {
  return hash('sha256', eventId).slice(0, 32);
}

/** The ids of a run of events: claimed together, used one by one, and released if the event fails. */
export class EventIds {
  private constructor(private readonly unused: Set<string>) {}

  static async claim(tx: Transaction, tenantId: number, ids: readonly string[], now: string): Promise<EventIds> {
    if (ids.length === 0) return new EventIds(new Set());
    const idOf = new Map(ids.map((id) => [keyOf(id), id]));
    const fresh = await insertKeys(tx, tenantId, [...idOf.keys()], now);
    return new EventIds(new Set(fresh.map((key) => idOf.get(key) as string)));
  }

  /** Whether an event with this id was stored in the last 30 days, here or earlier. */
  isUsed(id: string | null): boolean {
    return id !== null && !this.unused.has(id);
  }

  use(id: string | null): void {
    if (id !== null) this.unused.delete(id);
  }

  async release(tx: Transaction, tenantId: number): Promise<void> {
    if (this.unused.size > 0) await deleteKeys(tx, tenantId, [...this.unused].map(keyOf));
  }
}

const roundsADay = 1440;
const fewestPages = 256;

/** Walks through the table of keys, one part per minute, so that it covers the table once a day. */
export class KeySweeper {
  private at = 0;

  constructor(private readonly db: Runner) {}

  async sweep(): Promise<void> {
    const pages = await countKeyPages(this.db);
    if (this.at >= pages) this.at = 0;
    const before = this.at + Math.max(fewestPages, Math.ceil(pages / roundsADay));
    await sweepKeyPages(this.db, this.at, before);
    this.at = before;
  }
}
