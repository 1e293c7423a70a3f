import { hash, timingSafeEqual } from 'node:crypto';
import { scopeOf } from '@rapport/contract';
import type { Clock } from '../lib/clock.js';
import type { Caller } from './endpoint.js';
import { memoryBudget, type TakeBudget } from './rate-limit.js';

/** What a guard decides: go on as this caller, or stop with an empty-bodied answer. */
export type Verdict =
  | { caller: Caller; headers?: Record<string, string> }
  | { status: 401 | 403 | 429; headers: Record<string, string> };

export type Guard = (authorization: string | undefined, method: string) => Verdict | Promise<Verdict>;

const unauthorized: Verdict = { status: 401, headers: { 'www-authenticate': 'Bearer' } };

function bearerOf(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : /^bearer +([\x21-\x7e]+) *$/i.exec(authorization)?.[1];
}

/** The guard of /v1 and /v2, in the order of the contract: token, budget, scope. */
export function apiGuard(
  findCaller: (token: string) => Caller | undefined | Promise<Caller | undefined>,
  takeBudget: TakeBudget,
): Guard {
  const withCaller = (caller: Caller | undefined, method: string): Verdict | Promise<Verdict> => {
    if (!caller) return unauthorized;
    const wait = takeBudget(caller.tenantId, caller.rateLimit);
    return typeof wait === 'number' ? decide(caller, wait, method) : wait.then((w) => decide(caller, w, method));
  };
  return (authorization, method) => {
    const token = bearerOf(authorization);
    if (token === undefined) return unauthorized;
    const caller = findCaller(token);
    return caller instanceof Promise ? caller.then((found) => withCaller(found, method)) : withCaller(caller, method);
  };
}

function decide(caller: Caller, wait: number, method: string): Verdict {
  const headers: Record<string, string> = { 'x-ratelimit-limit': String(caller.rateLimit) };
  if (wait > 0) return { status: 429, headers: { ...headers, 'retry-after': String(wait) } };
  if (!caller.scopes.includes(scopeOf(method))) return { status: 403, headers };
  return { caller, headers };
}

const administrator: Caller = { tenantId: 0, accountId: 0, tokenId: 0, scopes: ['READ', 'WRITE'], rateLimit: 200 };
const guessesPerSecond = 20;

/** The guard of /admin and /metrics: one token, a modest budget, and a smaller one for wrong guesses. */
export function adminGuard(adminToken: string, clock: Clock): Guard {
  const expected = Buffer.from(hash('sha256', adminToken));
  const takeBudget = memoryBudget(clock);
  return (authorization) => {
    const token = bearerOf(authorization);
    const known = token !== undefined && timingSafeEqual(Buffer.from(hash('sha256', token)), expected);
    const wait = (known ? takeBudget(0, administrator.rateLimit) : takeBudget(1, guessesPerSecond)) as number;
    if (wait > 0)
      return {
        status: 429,
        headers: {
          'retry-after': String(wait),
          'x-ratelimit-limit': String(known ? administrator.rateLimit : guessesPerSecond),
        },
      };
    return known
      ? { caller: administrator, headers: { 'x-ratelimit-limit': String(administrator.rateLimit) } }
      : unauthorized;
  };
}
