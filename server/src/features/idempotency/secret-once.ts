import { hash } from 'node:crypto';
import type { Database, Transaction } from '../../db/database.js';
import { ApiError } from '../../http/api-error.js';
import { type SecretBox, SecretBoxError } from '../../lib/secret-box.js';
import { answerOnce, type Keyed } from './answer-once.js';

/**
 * Like answerOnce, for an answer with a secret in it. A repeat gets the same secret again, so the key's row keeps it for a day: sealed, and only
 * for the account that asked first. For anyone else the key counts as used for something else.
 */
export async function secretOnce<T extends Record<F, string>, F extends string>(
  { db, box }: { db: Database; box: SecretBox },
  call: Keyed,
  field: F,
  effect: (tx: Transaction) => Promise<T>,
): Promise<{ data: T; replayed?: boolean }> {
  const { caller, idempotency } = call;
  if (!idempotency) return { data: await db.transaction(effect) };
  const about = `answer:${caller.tenantId}:${caller.accountId}:${idempotency.route}`;
  const bodyHash = hash('sha256', `${caller.accountId} ${idempotency.bodyHash}`);
  const answer = await answerOnce(db, { caller, idempotency: { ...idempotency, bodyHash } }, async (tx) => {
    const data = await effect(tx);
    return { ...data, [field]: box.seal(data[field], about).toString('base64') };
  });
  return { ...answer, data: { ...answer.data, [field]: opened(box, answer.data[field], about) } };
}

function opened(box: SecretBox, sealed: string, about: string): string {
  try {
    return box.open(Buffer.from(sealed, 'base64'), about).toString();
  } catch (cause) {
    if (!(cause instanceof SecretBoxError)) throw cause;
    throw new ApiError(
      'INVALID_STATE',
      { reason: 'The first answer cannot be read any more. Send a new key.' },
      { cause },
    );
  }
}
