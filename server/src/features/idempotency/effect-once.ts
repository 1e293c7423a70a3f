import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../db/database.js';
import { ApiError } from '../../http/api-error.js';
import { notReady } from '../../http/error-handler.js';
import { parseJson } from '../../lib/parse-json.js';
import type { Keyed } from './answer-once.js';
import { claimKey, type FirstUse, findKey, freeKey, type KeyScope, storeResponse } from './queries.js';

// A duplicate looks every 100 ms, for 5 s: longer than most mail servers take.
const lookMs = 100;
const mostLooks = 50;

interface Once<T> {
  data: T;
  replayed?: boolean;
}

/**
 * Carries out what a database cannot roll back, such as sending a message, at most once per Idempotency-Key, without holding a
 * transaction. The key is claimed first, then the effect takes place, then its answer is stored. A failure frees
 * the key. After a kill in between it is unknown whether it took place: a repeat is told so, and is never carried out.
 */
export async function effectOnce<T>(db: Database, call: Keyed, effect: () => Promise<T>): Promise<Once<T>> {
  if (!call.idempotency) return { data: await effect() };
  const scope = { tenantId: call.caller.tenantId, ...call.idempotency };
  for (let look = 0; look < mostLooks; look++) {
    if (await claimKey(db, scope)) return carryOut(db, scope, effect);
    // Nothing is stored: the first one failed meanwhile, and this one may try.
    const first = await findKey(db, scope);
    const answer = first && replay<T>(scope, first);
    if (answer) return answer;
    await sleep(lookMs);
  }
  throw notReady({ reason: 'the first request with this Idempotency-Key is still at work; try again', retryAfter: 5 });
}

async function carryOut<T>(db: Database, scope: KeyScope, effect: () => Promise<T>): Promise<Once<T>> {
  let answer: Once<T>;
  try {
    answer = { data: await effect() };
  } catch (error) {
    // If that fails too, the key stays claimed and a repeat is refused: better than doing it twice.
    await freeKey(db, scope).catch(() => undefined);
    throw error;
  }
  await storeResponse(db, scope, JSON.stringify(answer));
  return answer;
}

function replay<T>(scope: KeyScope, { bodyHash, response, isOverdue }: FirstUse): Once<T> | undefined {
  if (bodyHash !== scope.bodyHash) throw new ApiError('IDEMPOTENCY_KEY_REUSED');
  if (response !== null) return { ...(parseJson(response) as Once<T>), replayed: true };
  if (!isOverdue) return undefined;
  throw new ApiError('INVALID_STATE', {
    reason:
      'The first request with this Idempotency-Key was interrupted: it is not known whether it took effect. Send a new key to do it again.',
  });
}
