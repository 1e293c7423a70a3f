import { hash } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type FindOutsideToken, type FindToken, type KnownToken, TokenCache } from './token-cache.js';

let elapsed = 0;
let wall = 0;
const clock = { now: () => new Date(wall), elapsed: () => elapsed };
const tokenOf = (n: number) => `rpt_pat_${String(n).padStart(43, '0')}`;

/** What the database knows: tokens by hash. */
const stored = new Map<string, KnownToken>();
const find = vi.fn<FindToken>(async (tokenHash) => stored.get(tokenHash));
let cache: TokenCache;

function store(token: string, expiresAt: string | null = null): void {
  const tokenHash = hash('sha256', token);
  stored.set(tokenHash, {
    tokenHash,
    tenantId: 1,
    accountId: 1,
    tokenId: 1,
    tokenKind: 'personal',
    role: 'admin',
    scopes: ['READ'],
    rateLimit: 1,
    expiresAt,
  });
}

beforeEach(() => {
  elapsed = 0;
  wall = 0;
  stored.clear();
  find.mockClear();
  find.mockImplementation(async (tokenHash) => stored.get(tokenHash));
  cache = new TokenCache(find, clock);
});

describe('TokenCache', () => {
  it('looks up once, then responds at once while it is fresh', async () => {
    store(tokenOf(1));
    expect(await cache.get(tokenOf(1))).toMatchObject({ tenantId: 1, scopes: ['READ'] });
    for (elapsed = 0; elapsed < 2900; elapsed += 100) expect(cache.get(tokenOf(1))).toMatchObject({ tenantId: 1 });
    expect(find).toHaveBeenCalledTimes(1);
  });

  it('asks by the hash, never with the token itself', async () => {
    await cache.get(tokenOf(1));
    expect(find.mock.calls).toEqual([[hash('sha256', tokenOf(1))]]);
  });

  it('notices within 5 seconds that a token was revoked elsewhere', async () => {
    store(tokenOf(1));
    await cache.get(tokenOf(1));
    stored.clear();
    elapsed = 5000;
    expect(await cache.get(tokenOf(1))).toBeUndefined();
    expect(await cache.get(tokenOf(1))).toBeUndefined();
    expect(find).toHaveBeenCalledTimes(2);
  });

  it('counts those seconds from before the look-up, however long it took', async () => {
    store(tokenOf(1));
    find.mockImplementationOnce(async (tokenHash) => {
      elapsed += 10_000;
      return stored.get(tokenHash);
    });
    expect(await cache.get(tokenOf(1))).toBeDefined();
    await cache.get(tokenOf(1));
    expect(find).toHaveBeenCalledTimes(2);
  });

  it('remembers that a token is unknown, so that guessing it again costs nothing', async () => {
    for (let i = 0; i < 100; i++) expect(await cache.get(tokenOf(1))).toBeUndefined();
    expect(find).toHaveBeenCalledTimes(1);
    elapsed = 60_000;
    await cache.get(tokenOf(1));
    expect(find).toHaveBeenCalledTimes(2);
  });

  it('remembers at most 10,000 guesses, and good tokens beside them', async () => {
    store(tokenOf(0));
    await cache.get(tokenOf(0));
    for (let i = 1; i <= 10_001; i++) await cache.get(tokenOf(i));
    find.mockClear();
    expect(cache.get(tokenOf(0))).toMatchObject({ tenantId: 1 });
    expect(cache.get(tokenOf(10_001))).toBeUndefined();
    expect(find).not.toHaveBeenCalled();
    await cache.get(tokenOf(1));
    expect(find).toHaveBeenCalledTimes(1);
  });

  it('remembers at most 10,000 tokens', async () => {
    for (let i = 0; i <= 10_000; i++) {
      store(tokenOf(i));
      await cache.get(tokenOf(i));
    }
    find.mockClear();
    expect(cache.get(tokenOf(10_000))).not.toBeInstanceOf(Promise);
    await cache.get(tokenOf(0));
    expect(find).toHaveBeenCalledTimes(1);
  });

  it('asks once for requests that come together', async () => {
    store(tokenOf(1));
    const callers = await Promise.all(Array.from({ length: 50 }, () => cache.get(tokenOf(1))));
    expect(callers.every((caller) => caller?.tenantId === 1)).toBe(true);
    expect(find).toHaveBeenCalledTimes(1);
    const nobody = await Promise.all(Array.from({ length: 50 }, () => cache.get(tokenOf(2))));
    expect(nobody.every((caller) => caller === undefined)).toBe(true);
    expect(find).toHaveBeenCalledTimes(2);
  });

  it.each([
    '',
    'x',
    'rpt_pat_',
    `rpt_pat_${'x'.repeat(42)}`,
    `rpt_adm_${'x'.repeat(43)}`,
    `RPT_PAT_${'x'.repeat(43)}`,
    `rpt_pat_${'x'.repeat(42)}!`,
    ` rpt_pat_${'x'.repeat(43)}`,
    `rpt_pat_${'x'.repeat(43)}\n`,
    `rpt_pat_${'é'.repeat(43)}`,
    `rpt_pat_${'x'.repeat(1000)}`,
  ])('never asks for %j, which no token looks like', (token) => {
    expect(cache.get(token)).toBeUndefined();
    expect(find).not.toHaveBeenCalled();
  });

  it('asks again after clear()', async () => {
    store(tokenOf(1));
    await cache.get(tokenOf(1));
    stored.clear();
    cache.clear();
    expect(await cache.get(tokenOf(1))).toBeUndefined();
  });

  it('does not remember what a look-up found before clear()', async () => {
    store(tokenOf(1));
    const revoked = stored.get(hash('sha256', tokenOf(1)));
    let answer: (token: KnownToken | undefined) => void = () => undefined;
    find.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
    const early = cache.get(tokenOf(1));
    stored.clear();
    cache.clear();
    const late = cache.get(tokenOf(1));
    expect(await late).toBeUndefined();
    answer(revoked);
    await early;
    expect(await cache.get(tokenOf(1))).toBeUndefined();
    expect(find).toHaveBeenCalledTimes(2);
  });

  it('refuses a token from the moment it expires, remembered or not', async () => {
    store(tokenOf(1), '1970-01-01T00:00:01.000Z');
    expect(await cache.get(tokenOf(1))).toBeDefined();
    wall = 999;
    expect(cache.get(tokenOf(1))).toBeDefined();
    wall = 1000;
    expect(cache.get(tokenOf(1))).toBeUndefined();
    cache.clear();
    expect(await cache.get(tokenOf(1))).toBeUndefined();
  });

  it('does not accept a row for another hash', async () => {
    store(tokenOf(2));
    find.mockImplementation(async () => stored.get(hash('sha256', tokenOf(2))));
    expect(await cache.get(tokenOf(1))).toBeUndefined();
  });

  it('passes a failed look-up on and asks again next time', async () => {
    store(tokenOf(1));
    find.mockRejectedValueOnce(new Error('away'));
    await expect(cache.get(tokenOf(1))).rejects.toThrow('away');
    expect(await cache.get(tokenOf(1))).toMatchObject({ tenantId: 1 });
  });
});

describe('TokenCache with another issuer', () => {
  const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl';
  const findOutside = vi.fn<FindOutsideToken>(async (_, tokenHash) => stored.get(tokenHash));
  beforeEach(() => {
    findOutside.mockClear();
    cache = new TokenCache(find, clock, findOutside);
  });

  it('asks there for what looks like a JWT, and for nothing else', async () => {
    store(jwt);
    expect(await cache.get(jwt)).toMatchObject({ tenantId: 1 });
    expect(cache.get(jwt)).toMatchObject({ tenantId: 1 });
    await cache.get(tokenOf(1));
    for (const other of ['a.b', 'a.b.c.d', 'a.b.', '..', 'a.b.c=', 'rpt_pat_x.y.z!', `${jwt}${'x'.repeat(8192)}`])
      cache.get(other);
    expect(findOutside.mock.calls).toEqual([[jwt, hash('sha256', jwt)]]);
    expect(find.mock.calls).toEqual([[hash('sha256', tokenOf(1))]]);
  });

  it('asks again soon for one that was no good: its key may have come', async () => {
    expect(await cache.get(jwt)).toBeUndefined();
    expect(cache.get(jwt)).toBeUndefined();
    elapsed = 3000;
    store(jwt);
    expect(await cache.get(jwt)).toMatchObject({ tenantId: 1 });
  });

  it('caches nothing if the answer is unknown', async () => {
    findOutside.mockRejectedValueOnce(new Error('away'));
    await expect(cache.get(jwt)).rejects.toThrow('away');
    store(jwt);
    expect(await cache.get(jwt)).toMatchObject({ tenantId: 1 });
  });
});
