import { hash, timingSafeEqual } from 'node:crypto';
import { scopeOf, type TokenScope } from '@rapport/contract';
import type { Clock } from '../lib/clock.js';
import type { Caller } from './endpoint.js';
import { memoryBudget, type TakeBudget } from './rate-limit.js';

/** What a guard decides: go on as this caller, or stop with an empty-bodied answer. */
export type Verdict =
  | { caller: Caller; headers?: Record<string, string> }
  | { status: 401 | 403 | 429; headers: Record<string, string> };

/** Where a client finds out who gives out tokens for this service (RFC 9728). */
export const resourceMetadataPath = '/.well-known/oauth-protected-resource';

export type Guard = (authorization: string | undefined, method: string, address: string) => Verdict | Promise<Verdict>;

const unauthorized: Verdict = { status: 401, headers: { 'www-authenticate': 'Bearer' } };
const noWriteKey: Verdict = { status: 401, headers: { 'www-authenticate': 'Basic realm="rapport"' } };

function bearerOf(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : /^bearer +([\x21-\x7e]+) *$/i.exec(authorization)?.[1];
}

/** The user of Basic authentication, whatever the password: so Segment's clients send their write key. */
function writeKeyOf(authorization: string | undefined): string | undefined {
  const encoded = authorization === undefined ? undefined : /^basic +([\w+/=-]+) *$/i.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const [user = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':', 1);
  return /^[\x21-\x7e]+$/.test(user) ? user : undefined;
}

type FindCaller = (token: string) => Caller | undefined | Promise<Caller | undefined>;

const scopesOf = { READ: ['READ'], WRITE: ['WRITE'] } as const;

/** The guard of /v1 and /v2, in the order of the contract: token, budget, scope. */
export function apiGuard(findCaller: FindCaller, takeBudget: TakeBudget, resourceMetadata: () => string): Guard {
  return tokenGuard(findCaller, takeBudget, {
    tokenOf: bearerOf,
    scopesOf: (method) => scopesOf[scopeOf(method)],
    // Tells a client where tokens are given out (RFC 9728).
    unauthorized: () => ({
      status: 401,
      headers: { 'www-authenticate': `Bearer resource_metadata="${resourceMetadata()}"` },
    }),
  });
}

/** The guard of /ingest: the same, with a write key. Everything there writes. */
export function ingestGuard(findCaller: FindCaller, takeBudget: TakeBudget): Guard {
  return tokenGuard(findCaller, takeBudget, {
    tokenOf: (authorization) => writeKeyOf(authorization) ?? bearerOf(authorization),
    scopesOf: () => ['WRITE', 'INGEST'],
    unauthorized: () => noWriteKey,
  });
}

/** Of a write key in the body, as pages send it: only one that can do nothing else, for everybody can read it there. */
export function pageKeyGuard(findCaller: FindCaller, takeBudget: TakeBudget): Guard {
  return tokenGuard(findCaller, takeBudget, {
    tokenOf: (key) => key,
    scopesOf: () => ['INGEST'],
    unauthorized: () => noWriteKey,
  });
}

interface TokenRules {
  tokenOf(authorization: string | undefined): string | undefined;
  /** One of these must be the token's. */
  scopesOf(method: string): readonly TokenScope[];
  unauthorized(): Verdict;
}

function tokenGuard(findCaller: FindCaller, takeBudget: TakeBudget, rules: TokenRules): Guard {
  const withCaller = (
    caller: Caller | undefined,
    scopes: readonly TokenScope[],
    address: string,
  ): Verdict | Promise<Verdict> => {
    if (!caller) return rules.unauthorized();
    const wait = takeBudget(caller.tenantId, caller.rateLimit);
    const settled = (seconds: number) => decide(caller, seconds, scopes, address);
    return typeof wait === 'number' ? settled(wait) : wait.then(settled);
  };
  return (authorization, method, address) => {
    const token = rules.tokenOf(authorization);
    if (token === undefined) return rules.unauthorized();
    const scopes = rules.scopesOf(method);
    const caller = findCaller(token);
    return caller instanceof Promise
      ? caller.then((found) => withCaller(found, scopes, address))
      : withCaller(caller, scopes, address);
  };
}

function decide(caller: Caller, wait: number, scopes: readonly TokenScope[], address: string): Verdict {
  const headers: Record<string, string> = { 'x-ratelimit-limit': String(caller.rateLimit) };
  if (wait > 0) return { status: 429, headers: { ...headers, 'retry-after': String(wait) } };
  if (!scopes.some((scope) => caller.scopes.includes(scope))) return { status: 403, headers };
  if (caller.isAllowedFrom && !caller.isAllowedFrom(address)) return { status: 403, headers };
  return { caller, headers };
}

const administrator: Caller = {
  ...{ tenantId: 0, accountId: 0, tokenId: 0, tokenKind: 'personal', role: 'admin' },
  ...{ scopes: ['READ', 'WRITE'], rateLimit: 200 },
};
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
