import type { Transaction } from '../../db/database.js';

/** Told of product users that were made, in the transaction that made them, once they are stored. */
export type UsersMade = (tx: Transaction, tenantId: number, userIds: readonly string[], now: string) => Promise<void>;

export async function announceUsers(
  listeners: readonly UsersMade[],
  tx: Transaction,
  tenantId: number,
  made: readonly { userId: string }[],
  now: string,
): Promise<void> {
  if (made.length === 0) return;
  const userIds = made.map(({ userId }) => userId);
  for (const tell of listeners) await tell(tx, tenantId, userIds, now);
}
