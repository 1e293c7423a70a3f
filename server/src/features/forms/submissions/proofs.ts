// Proofs of work, as ALTCHA has them (version 1): a browser finds the number behind a hash. They cost a robot time, and need no outside service.
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { isObject } from '@rapport/contract';
import type { Clock } from '../../../lib/clock.js';
import { parseJson } from '../../../lib/parse-json.js';
import { randomBytes } from '../../../lib/random.js';
import type { Proof } from './queries.js';

export interface Challenge {
  algorithm: typeof algorithm;
  challenge: string;
  maxnumber: number;
  salt: string;
  signature: string;
}

interface Answered extends Omit<Challenge, 'maxnumber'> {
  number: number;
}

// Numbers to try: 15,000 hashes on average, a tenth of a second on a phone.
const mostNumber = 30_000;
// People who take longer are asked again, and their browser answers by itself.
const validMs = 3_600_000;
const algorithm = 'SHA-256';
const longestAnswer = 2000;

export class Proofs {
  constructor(
    private readonly keyOf: (tenantId: number) => Promise<Buffer>,
    private readonly clock: Clock,
  ) {}

  async challenge(tenantId: number, formId: string): Promise<Challenge> {
    const expires = Math.floor((this.clock.now().getTime() + validMs) / 1000);
    // The last sign keeps the number from running into the parameters.
    const salt = `${randomBytes(12).toString('hex')}?form=${formId}&expires=${expires}&`;
    const challenge = hash('sha256', salt + (randomBytes(4).readUInt32LE() % (mostNumber + 1)));
    const signature = (await this.sign(tenantId, challenge)).toString('hex');
    return { algorithm, challenge, maxnumber: mostNumber, salt, signature };
  }

  /** `old`: it was right, and came too late. `wrong`: no browser made it. Whether it was used before is for the database to say. */
  async check(tenantId: number, formId: string, answer: unknown): Promise<Proof | 'old' | 'wrong'> {
    const answered = readAnswer(answer);
    if (!answered) return 'wrong';
    const { challenge, number, salt, signature } = answered;
    const params = new URLSearchParams(salt.split('?')[1]);
    const until = Number(params.get('expires')) * 1000;
    if (params.get('form') !== formId || !Number.isSafeInteger(until) || !salt.endsWith('&')) return 'wrong';
    if (hash('sha256', salt + number) !== challenge) return 'wrong';
    if (!timingSafeEqual(await this.sign(tenantId, challenge), Buffer.from(signature, 'hex'))) return 'wrong';
    if (until < this.clock.now().getTime()) return 'old';
    return { challenge, expiresAt: new Date(until).toISOString() };
  }

  /** Not with the key of links itself: what one signs must not pass for the other. */
  private async sign(tenantId: number, challenge: string): Promise<Buffer> {
    const key = createHmac('sha256', await this.keyOf(tenantId))
      .update('proofs of forms')
      .digest('hex');
    return createHmac('sha256', key).update(challenge).digest();
  }
}

const isHash = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

function readAnswer(answer: unknown): Answered | undefined {
  if (typeof answer !== 'string' || answer.length > longestAnswer) return undefined;
  let read: unknown;
  try {
    read = parseJson(Buffer.from(answer, 'base64').toString());
  } catch {
    return undefined;
  }
  if (!isObject(read) || read.algorithm !== algorithm) return undefined;
  const { challenge, number, salt, signature } = read;
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 0) return undefined;
  return typeof salt === 'string' && isHash(challenge) && isHash(signature)
    ? { algorithm, challenge, number, salt, signature }
    : undefined;
}
