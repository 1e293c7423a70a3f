import { hash } from 'node:crypto';
import type { Database, Transaction } from '../../db/database.js';
import { countKeyPages, insertKeys, sweepKeyPages } from './queries.js';

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
  if (keys.length === 0) return new Set();
  return new Set((await insertKeys(tx, tenantId, keys, now)) ?? keys);
}

const roundsADay = 1440;
const fewestPages = 256;

/** Walks along the table of keys, a stretch a minute, so that it comes round once a day. */
export class KeySweeper {
  private at = 0;

  constructor(private readonly db: Database) {}

  async sweep(): Promise<void> {
    const pages = await countKeyPages(this.db);
    if (this.at >= pages) this.at = 0;
    const before = this.at + Math.max(fewestPages, Math.ceil(pages / roundsADay));
    await sweepKeyPages(this.db, this.at, before);
    this.at = before;
  }
}
