// Proofs of work, as ALTCHA has them (version 1): a browser finds the number behind a hash. They cost a robot time, and need no outside service.
import { createHmac } from 'node:crypto';
import { createChallenge, extractParams, verifySolution } from 'altcha-lib/v1';
import type { Payload } from 'altcha-lib/v1/types';
import type { Clock } from '../../../lib/clock.js';
import { isObject } from '../../../lib/is-object.js';
import { parseJson } from '../../../lib/parse-json.js';
import type { Proof } from './queries.js';

export type Challenge = Awaited<ReturnType<typeof createChallenge>>;

// Numbers to try: 15,000 hashes on average, a tenth of a second on a phone.
const mostNumber = 30_000;
// Who fills in for longer is asked again, and their browser answers by itself.
const validMs = 3_600_000;
const algorithm = 'SHA-256';
const longestAnswer = 2000;

export class Proofs {
  constructor(
    private readonly keyOf: (tenantId: number) => Promise<Buffer>,
    private readonly clock: Clock,
  ) {}

  async challenge(tenantId: number, formId: string): Promise<Challenge> {
    const expires = new Date(this.clock.now().getTime() + validMs);
    const hmacKey = await this.hmacKey(tenantId);
    return createChallenge({ algorithm, hmacKey, maxnumber: mostNumber, expires, params: { form: formId } });
  }

  /** `old`: it was right, and came too late. `wrong`: no browser made it. Whether it was used before is for the database to say. */
  async check(tenantId: number, formId: string, answer: unknown): Promise<Proof | 'old' | 'wrong'> {
    const payload = readAnswer(answer);
    if (!payload) return 'wrong';
    const { form, expires } = extractParams(payload);
    const until = Number(expires) * 1000;
    if (form !== formId || !Number.isSafeInteger(until)) return 'wrong';
    if (!(await verifySolution(payload, await this.hmacKey(tenantId), false))) return 'wrong';
    if (until < this.clock.now().getTime()) return 'old';
    return { challenge: payload.challenge, expiresAt: new Date(until).toISOString() };
  }

  /** Not the key of links itself: what one signs must not pass for the other. */
  private async hmacKey(tenantId: number): Promise<string> {
    return createHmac('sha256', await this.keyOf(tenantId))
      .update('proofs of forms')
      .digest('hex');
  }
}

function readAnswer(answer: unknown): Payload | undefined {
  if (typeof answer !== 'string' || answer.length > longestAnswer) return undefined;
  let read: unknown;
  try {
    read = parseJson(Buffer.from(answer, 'base64').toString());
  } catch {
    return undefined;
  }
  if (!isObject(read)) return undefined;
  const { challenge, number, salt, signature } = read;
  if (read.algorithm !== algorithm || !Number.isSafeInteger(number) || (number as number) < 0) return undefined;
  if (typeof challenge !== 'string' || typeof salt !== 'string' || typeof signature !== 'string') return undefined;
  return /^[0-9a-f]{64}$/.test(challenge)
    ? { algorithm, challenge, number: number as number, salt, signature }
    : undefined;
}
