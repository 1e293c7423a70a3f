import { hash } from 'node:crypto';
import type { Transaction } from '../../db/database.js';
import { deleteKeys, insertKeys } from './queries.js';

/** What stands for an event's id in the table of ids: 32 hex digits. */
export function keyOf(eventId: string): string {
  return hash('sha256', eventId).slice(0, 32);
}

/** Of these keys, those that were not taken in the last 30 days. They are taken now. */
export async function claimKeys(
  tx: Transaction,
  tenantId: number,
  keys: readonly string[],
  now: string,
): Promise<ReadonlySet<string>> {
  return new Set(keys.length === 0 ? [] : await insertKeys(tx, tenantId, keys, now));
}

/** The ids of a run of events: claimed together, used one by one, and given back where the event came to nothing. */
export class EventIds {
  private constructor(private readonly unused: Set<string>) {}

  static async claim(tx: Transaction, tenantId: number, ids: readonly string[], now: string): Promise<EventIds> {
    const idOf = new Map(ids.map((id) => [keyOf(id), id]));
    const fresh = await claimKeys(tx, tenantId, [...idOf.keys()], now);
    return new EventIds(new Set([...fresh].map((key) => idOf.get(key) as string)));
  }

  /** Whether an event with this id was stored before, here or earlier. */
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
