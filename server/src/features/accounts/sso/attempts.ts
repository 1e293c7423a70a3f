// People who were sent to an identity provider: what must be the same when they come back, in the same browser.
import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../../db/database.js';
import type { Clock } from '../../../lib/clock.js';
import { instantOf } from '../../../lib/instant.js';
import { parseJson } from '../../../lib/parse-json.js';
import { randomToken } from '../../../lib/random.js';
import type { SecretBox } from '../../../lib/secret-box.js';
import type { Cookies } from '../sessions/cookies.js';
import { insertAttempt, takeAttemptRow } from './queries.js';

const lastsSeconds = 600;

interface AttemptNeeds {
  db: Database;
  clock: Clock;
  box: SecretBox;
  cookies: Cookies;
}

interface Attempt {
  tenantId: number;
  providerId: number;
  nonce: string;
  verifier: string;
  next: string | undefined;
}

interface Kept extends Pick<Attempt, 'nonce' | 'verifier' | 'next'> {
  /** From the cookie: an attacker who plants their own code in another person's browser cannot plant this. */
  browser: string;
}

const about = (stateHash: string) => `sso-attempt:${stateHash}`;

/** Returns the `state` to send along. */
export async function beginAttempt(
  { db, clock, box, cookies }: AttemptNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
  { tenantId, providerId, nonce, verifier, next }: Attempt,
): Promise<string> {
  const state = randomToken('');
  const stateHash = hash('sha256', state);
  // Two windows may be on their way at once.
  const cookie = cookies.read(request, 'sso') ?? randomToken('');
  const kept: Kept = { nonce, verifier, next, browser: hash('sha256', cookie) };
  const sealed = box.seal(JSON.stringify(kept), about(stateHash)).toString('hex');
  const expiresAt = instantOf(clock.now().getTime() + lastsSeconds * 1000);
  await insertAttempt(db, stateHash, { tenantId, providerId, sealed }, expiresAt);
  cookies.set(reply, 'sso', cookie, lastsSeconds);
  return state;
}

/** The attempt that a person comes back from. Undefined if it is too old, was used, or began in another browser or workspace. */
export async function takeAttempt(
  { db, clock, box, cookies }: AttemptNeeds,
  request: FastifyRequest,
  tenantId: number,
  state: string,
): Promise<Attempt | undefined> {
  const cookie = cookies.read(request, 'sso');
  if (cookie === undefined) return undefined;
  const stateHash = hash('sha256', state);
  const row = await takeAttemptRow(db, stateHash, clock.now().toISOString());
  if (!row || row.tenantId !== tenantId) return undefined;
  const opened = box.open(Buffer.from(row.sealed, 'hex'), about(stateHash)).toString('utf8');
  const { nonce, verifier, next, browser } = parseJson(opened) as Kept;
  if (!timingSafeEqual(Buffer.from(browser), Buffer.from(hash('sha256', cookie)))) return undefined;
  return { tenantId, providerId: row.providerId, nonce, verifier, next };
}
