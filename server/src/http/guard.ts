import { hash, timingSafeEqual } from 'node:crypto';
import { type AgentScope, agentScopes, type Scope, type TokenScope } from '@rapport/contract';
import type { Clock } from '../lib/clock.js';
import type { Caller } from './endpoint.js';
import { memoryBudget, type TakeBudget } from './rate-limit.js';

/** The decision of a guard: continue as this caller, or stop with an empty response. */
export type Verdict =
  | { caller: Caller; headers?: Record<string, string>; challenge?: Challenge }
  | { status: 401 | 403 | 429; headers: Record<string, string> };

/** Where a client finds out which server issues tokens for this service (RFC 9728). */
export const resourceMetadataPath = '/.well-known/oauth-protected-resource';
/** The same for /mcp, which is a resource of its own. */
export const mcpMetadataPath = `${resourceMetadataPath}/mcp`;

export type Guard = (authorization: string | undefined, scope: Scope, address: string) => Verdict | Promise<Verdict>;

/** The WWW-Authenticate header: how to authenticate and, if the client tried, what was wrong (RFC 6750, section 3). */
export type Challenge = (error?: 'invalid_token' | 'insufficient_scope', scope?: string) => string;

/** `about`: parameters of the scheme that do not depend on the request. */
function bearerChallenge(about: () => string[]): Challenge {
  return (error, scope) => {
    const parts = [...about(), ...(error ? [`error="${error}"`] : []), ...(scope ? [`scope="${scope}"`] : [])];
    return ['Bearer', parts.join(', ')].join(' ').trim();
  };
}

const plainBearer = bearerChallenge(() => []);

function unauthorized(challenge: string): Verdict {
  return { status: 401, headers: { 'www-authenticate': challenge } };
}
const noWriteKey = unauthorized('Basic realm="rapport"');

/** A client that uses another scheme, or sends nothing after this one, has not tried. */
function triedBearer(authorization: string | undefined): boolean {
  return authorization !== undefined && /^bearer +\S/i.test(authorization);
}

function refusalOf(challenge: Challenge, authorization: string | undefined): Verdict {
  return unauthorized(challenge(triedBearer(authorization) ? 'invalid_token' : undefined));
}

function bearerOf(authorization: string | undefined): string | undefined {
  return authorization === undefined ? undefined : /^bearer +([\x21-\x7e]+) *$/i.exec(authorization)?.[1];
}

/** The user of Basic authentication, whatever the password: this is how Segment's clients send their write key. */
function writeKeyOf(authorization: string | undefined): string | undefined {
  const encoded = authorization === undefined ? undefined : /^basic +([\w+/=-]+) *$/i.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const [user = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':', 1);
  return /^[\x21-\x7e]+$/.test(user) ? user : undefined;
}

type FindCaller = (token: string) => Caller | undefined | Promise<Caller | undefined>;

/** The guard of /v1 and /v2, in the order of the contract: token, budget, scope. */
export function apiGuard(findCaller: FindCaller, takeBudget: TakeBudget, resourceMetadata: () => string): Guard {
  // Tells a client where tokens are issued (RFC 9728).
  const challenge = bearerChallenge(() => [`resource_metadata="${resourceMetadata()}"`]);
  return tokenGuard(findCaller, takeBudget, {
    tokenOf: bearerOf,
    scopesOf: (scope) => [scope],
    unauthorized: (authorization) => refusalOf(challenge, authorization),
    challenge,
  });
}

/** The guard of /ingest: the same, with a write key. Everything there writes. */
export function ingestGuard(findCaller: FindCaller, takeBudget: TakeBudget): Guard {
  return tokenGuard(findCaller, takeBudget, {
    tokenOf: (authorization) => writeKeyOf(authorization) ?? bearerOf(authorization),
    // The first scheme is the one that an app can be given.
    scopesOf: () => ['WRITE', 'INGEST'],
    unauthorized: () => noWriteKey,
    challenge: plainBearer,
  });
}

/** What a token may do at /mcp. A personal token has no scopes of its own there. */
export function agentScopesOf({ isForMcp, tokenKind, scopes }: Caller): AgentScope[] {
  if (isForMcp) return agentScopes.filter((scope) => scopes.includes(scope));
  if (tokenKind !== 'personal') return [];
  const reads: AgentScope[] = scopes.includes('READ') ? ['read', 'people'] : [];
  return scopes.includes('WRITE') ? [...reads, 'write', 'send'] : reads;
}

/** The guard of /mcp: tokens that were issued for it, and personal ones. What a message needs beyond that is checked with the message. */
export function mcpGuard(findCaller: FindCaller, takeBudget: TakeBudget, resourceMetadata: () => string): Guard {
  const challenge = bearerChallenge(() => [`resource_metadata="${resourceMetadata()}"`]);
  return tokenGuard(findCaller, takeBudget, {
    tokenOf: bearerOf,
    isMeantForUs: ({ isForMcp, tokenKind }) => isForMcp === true || tokenKind === 'personal',
    scopesOf: () => agentScopes,
    heldBy: agentScopesOf,
    unauthorized: (authorization) =>
      unauthorized(challenge(triedBearer(authorization) ? 'invalid_token' : undefined, agentScopes.join(' '))),
    challenge,
  });
}

/** For a write key in the body, as web pages send it: it must be unable to do anything else, because everyone can read it there. */
export function pageKeyGuard(findCaller: FindCaller, takeBudget: TakeBudget): Guard {
  return tokenGuard(findCaller, takeBudget, {
    tokenOf: (key) => key,
    scopesOf: () => ['INGEST'],
    unauthorized: () => noWriteKey,
  });
}

interface TokenRules {
  tokenOf(authorization: string | undefined): string | undefined;
  /** The token must have one of these. */
  scopesOf(scope: Scope): readonly (TokenScope | AgentScope)[];
  /** Whether the token was issued for what is guarded. By default: unless it is for /mcp. */
  isMeantForUs?(caller: Caller): boolean;
  heldBy?(caller: Caller): readonly string[];
  unauthorized(authorization: string | undefined): Verdict;
  /** For a missing scope. A key in a body was not sent by any scheme, so the header is left out. */
  challenge?: Challenge;
}

const isForApi = ({ isForMcp }: Caller) => !isForMcp;

function tokenGuard(findCaller: FindCaller, takeBudget: TakeBudget, rules: TokenRules): Guard {
  return (authorization, scope, address) => {
    const withCaller = (caller: Caller | undefined): Verdict | Promise<Verdict> => {
      if (!caller || !(rules.isMeantForUs ?? isForApi)(caller)) return rules.unauthorized(authorization);
      const wait = takeBudget(caller.tenantId, caller.rateLimit);
      const settled = (seconds: number) => decide(caller, seconds, rules, scope, address);
      return typeof wait === 'number' ? settled(wait) : wait.then(settled);
    };
    const token = rules.tokenOf(authorization);
    if (token === undefined) return rules.unauthorized(authorization);
    const caller = findCaller(token);
    return caller instanceof Promise ? caller.then(withCaller) : withCaller(caller);
  };
}

function decide(caller: Caller, wait: number, rules: TokenRules, scope: Scope, address: string): Verdict {
  const headers: Record<string, string> = { 'x-ratelimit-limit': String(caller.rateLimit) };
  if (wait > 0) return { status: 429, headers: { ...headers, 'retry-after': String(wait) } };
  const { challenge } = rules;
  const scopes = rules.scopesOf(scope);
  const held = rules.heldBy?.(caller) ?? caller.scopes;
  if (!scopes.some((one) => held.includes(one))) {
    if (challenge) headers['www-authenticate'] = challenge('insufficient_scope', scopes[0]);
    return { status: 403, headers };
  }
  // No other token would help: the address is not allowed.
  if (caller.isAllowedFrom && !caller.isAllowedFrom(address)) return { status: 403, headers };
  return challenge ? { caller, headers, challenge } : { caller, headers };
}

const administrator: Caller = {
  ...{ tenantId: 0, accountId: 0, tokenId: 0, tokenKind: 'personal', role: 'admin' },
  ...{ scopes: ['READ', 'WRITE'], rateLimit: 200 },
};
const guessesPerSecond = 20;

/** The guard of /admin and /metrics: one token, a small budget, and a smaller one for wrong guesses. */
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
      : refusalOf(plainBearer, authorization);
  };
}
