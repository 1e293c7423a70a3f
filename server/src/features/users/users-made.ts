import type { Transaction } from '../../db/database.js';

export interface MadeUser {
  userId: string;
  /** Keys of properties that were removed since. */
  removed?: Record<string, null>;
}

/** Told of product users that were made, in the transaction that made them, once they are stored. */
export type UsersMade = (tx: Transaction, tenantId: number, made: readonly MadeUser[], now: string) => Promise<void>;

export async function announceUsers(
  listeners: readonly UsersMade[],
  tx: Transaction,
  tenantId: number,
  made: readonly MadeUser[],
  now: string,
): Promise<void> {
  if (made.length === 0) return;
  for (const tell of listeners) await tell(tx, tenantId, made, now);
}
