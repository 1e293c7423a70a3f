import type { Database, Transaction } from '../../db/database.js';
import { ApiError } from '../../http/api-error.js';
import type { Caller, Idempotency } from '../../http/endpoint.js';
import { claimKey, findKey, storeResponse } from './queries.js';

/**
 * Runs the effect of a POST in a transaction, at most once an Idempotency-Key. The key's row is written in the
 * transaction of the effect: a failure leaves nothing behind, and a concurrent duplicate waits and then gets the
 * first one's answer.
 */
export function answerOnce<T>(
  db: Database,
  call: { caller: Caller; idempotency: Idempotency | undefined },
  effect: (tx: Transaction) => Promise<T>,
): Promise<{ data: T; replayed?: boolean }> {
  return db.transaction(async (tx) => {
    if (!call.idempotency) return { data: await effect(tx) };
    const scope = { tenantId: call.caller.tenantId, ...call.idempotency };
    if (!(await claimKey(tx, scope))) {
      const first = await findKey(tx, scope);
      if (first?.bodyHash !== scope.bodyHash) throw new ApiError('IDEMPOTENCY_KEY_REUSED');
      return { data: JSON.parse(first.response) as T, replayed: true };
    }
    const data = await effect(tx);
    await storeResponse(tx, scope, JSON.stringify(data));
    return { data };
  });
}
