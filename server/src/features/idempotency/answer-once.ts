import type { ErrorItem } from '@rapport/contract';
import type { Database, Transaction } from '../../db/database.js';
import { ApiError } from '../../http/api-error.js';
import type { Caller, Idempotency } from '../../http/endpoint.js';
import { parseJson } from '../../lib/parse-json.js';
import { claimKey, findKey, storeResponse } from './queries.js';

export interface Keyed {
  caller: Caller;
  idempotency: Idempotency | undefined;
}
interface WholeAnswer {
  data: unknown;
  errors?: ErrorItem[];
}

/**
 * Runs the effect of a POST in a transaction, at most once per Idempotency-Key. The key's row is written in the
 * transaction of the effect: a failure leaves nothing behind, and a concurrent duplicate waits and then gets the
 * first one's answer.
 */
export function runOnce<A extends WholeAnswer>(
  db: Pick<Database, 'transaction'>,
  call: Keyed,
  effect: (tx: Transaction) => Promise<A>,
): Promise<A & { replayed?: boolean }> {
  return db.transaction(async (tx) => {
    if (!call.idempotency) return effect(tx);
    const scope = { tenantId: call.caller.tenantId, ...call.idempotency };
    if (!(await claimKey(tx, scope))) {
      const first = await findKey(tx, scope);
      if (first?.bodyHash !== scope.bodyHash) throw new ApiError('IDEMPOTENCY_KEY_REUSED');
      return { ...(parseJson(first.response as string) as A), replayed: true };
    }
    const answer = await effect(tx);
    await storeResponse(tx, scope, JSON.stringify(answer));
    return answer;
  });
}

/** The same for an effect that returns only its data. */
export function answerOnce<T>(
  db: Pick<Database, 'transaction'>,
  call: Keyed,
  effect: (tx: Transaction) => Promise<T>,
): Promise<{ data: T; replayed?: boolean }> {
  return runOnce(db, call, async (tx) => ({ data: await effect(tx) }));
}
