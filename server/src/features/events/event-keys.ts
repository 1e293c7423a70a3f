import { hash } from 'node:crypto';
import type { Transaction } from '../../db/database.js';
import { insertKeys } from './queries.js';

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
