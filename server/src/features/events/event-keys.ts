import { hash } from 'node:crypto';
import type { Runner, Transaction } from '../../db/database.js';
import { copyKeys, countKeyPages, deleteKeys, selectKeys, sweepKeyPages } from './queries.js';

/** The hash of an event's id in the table of ids: 32 hex digits. */
function keyOf(eventId: string): string {
  return hash('sha256', eventId).slice(0, 32);
}

/** The ids that the events of a portion have: which of them are taken, here or earlier, and which they take. */
export class EventIds {
  readonly #fresh = new Set<string>();

  private constructor(
    private readonly keys: ReadonlyMap<string, string>,
    private readonly taken: Set<string>,
  ) {}

  static async learn(tx: Transaction, tenantId: number, ids: readonly string[], now: string): Promise<EventIds> {
    const keys = new Map(ids.map((id) => [id, keyOf(id)]));
    if (ids.length === 0) return new EventIds(keys, new Set());
    const found = await selectKeys(tx, tenantId, [...keys.values()], now);
    const old = found.flatMap(({ key, isOld }) => (isOld ? [key] : []));
    if (old.length > 0) await deleteKeys(tx, tenantId, old);
    return new EventIds(keys, new Set(found.flatMap(({ key, isOld }) => (isOld ? [] : [key]))));
  }

  /** Whether an event with this id was stored in the last 30 days, here or earlier. */
  isUsed(id: string | null): boolean {
    return id !== null && this.taken.has(this.keys.get(id) as string);
  }

  /** An event that failed uses none: its id stays free. */
  use(id: string | null): void {
    if (id === null) return;
    const key = this.keys.get(id) as string;
    this.taken.add(key);
    this.#fresh.add(key);
  }

  /** Stores which ids were used. */
  async store(tx: Transaction, tenantId: number, now: string): Promise<void> {
    if (this.#fresh.size > 0) await copyKeys(tx, tenantId, [...this.#fresh], now);
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
