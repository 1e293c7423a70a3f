import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Clock, systemClock } from '../lib/clock.js';
import { memoryBudget, type TakeBudget, windowMs } from './rate-limit.js';
import { redisBudget, type SharedBudget } from './rate-limit-redis.js';

function fakeClock(start = 0): Clock & { at: number } {
  return {
    at: start,
    now: () => new Date(0),
    elapsed() {
      return this.at;
    },
  };
}

// Quarters of a millisecond are exact in binary, so the model below counts without rounding.
const gap = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 80 }).map((quarters) => quarters / 4) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 1200 }) },
);
const budgetSize = fc.oneof(fc.integer({ min: 1, max: 8 }), fc.constantFrom(63, 64, 65, 130, 256, 300));

describe('memoryBudget', () => {
  it('is exact in every window, whenever the requests come', () => {
    fc.assert(
      fc.property(budgetSize, fc.array(gap, { minLength: 1, maxLength: 600, size: 'max' }), (perSecond, gaps) => {
        const clock = fakeClock(1000);
        const take = memoryBudget(clock);
        const accepted: number[] = [];
        for (const ms of gaps) {
          clock.at += ms;
          const lately = (since: number) => accepted.filter((time) => time > clock.at - since).length;
          const wait = take(1, perSecond) as number;
          if (wait === 0) accepted.push(clock.at);
          else {
            expect(Number.isInteger(wait) && wait >= 1).toBe(true);
            expect(lately(1000)).toBeGreaterThanOrEqual(perSecond);
          }
          expect(lately(windowMs)).toBeLessThanOrEqual(perSecond);
        }
      }),
      { numRuns: 120 },
    );
  });

  it.each([1, 2, 64, 65, 1000, 5000])('refuses half of a burst of twice %i', (perSecond) => {
    const take = memoryBudget(fakeClock());
    const waits = Array.from({ length: 2 * perSecond }, () => take(1, perSecond));
    expect(waits.slice(0, perSecond).every((wait) => wait === 0)).toBe(true);
    expect(waits.slice(perSecond).every((wait) => wait === 1)).toBe(true);
  });

  it('gives no fresh budget when a clock second begins', () => {
    const clock = fakeClock(900);
    const take = memoryBudget(clock);
    for (let i = 0; i < 10; i++) expect(take(1, 10)).toBe(0);
    clock.at = 1100;
    expect(take(1, 10)).toBe(1);
    clock.at = 900 + windowMs;
    expect(take(1, 10)).toBe(0);
  });

  it('never refuses a sequential client twice in a row when it honours Retry-After, its timer a little early', () => {
    const latency = fc.integer({ min: 0, max: 30 });
    const early = fc.integer({ min: 0, max: 5 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.tuple(latency, early), { maxLength: 300 }),
        (perSecond, steps) => {
          const clock = fakeClock();
          const take = memoryBudget(clock);
          let refused = false;
          for (const [ms, ahead] of steps) {
            clock.at += ms;
            const wait = take(1, perSecond) as number;
            expect(refused && wait > 0).toBe(false);
            refused = wait > 0;
            if (refused) clock.at += wait * 1000 - ahead;
          }
        },
      ),
    );
  });

  it('grows to a large budget, and keeps counting what it had counted', () => {
    const clock = fakeClock();
    const take = memoryBudget(clock);
    const perSecond = 1_000_000;
    for (let i = 0; i < 100; i++) {
      clock.at = i;
      expect(take(1, perSecond)).toBe(0);
    }
    let accepted = 100;
    while (take(1, perSecond) === 0) accepted++;
    expect(accepted).toBe(perSecond);
    clock.at = 50 + windowMs;
    let freed = 0;
    while (take(1, perSecond) === 0) freed++;
    expect(freed).toBe(51);
  });

  it('keeps tenants apart', () => {
    const take = memoryBudget(fakeClock());
    expect([take(1, 1), take(1, 1), take(2, 1), take(2, 1)]).toEqual([0, 1, 0, 1]);
  });

  it('follows a changed budget at once', () => {
    const take = memoryBudget(fakeClock());
    expect([take(1, 1), take(1, 1), take(1, 2), take(1, 2), take(1, 2)]).toEqual([0, 1, 0, 0, 1]);
  });

  it('forgets tenants that were silent for a minute, and only those', () => {
    const clock = fakeClock();
    const take = memoryBudget(clock);
    take(1, 1);
    clock.at = 120_000;
    expect([take(2, 1), take(2, 1)]).toEqual([0, 1]);
    clock.at += 60_001;
    expect([take(1, 1), take(1, 1)]).toEqual([0, 1]);
  });
});

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
const title = hasRedis ? 'redisBudget' : 'redisBudget (skipped: there is no redis-server on PATH)';

describe.skipIf(!hasRedis)(title, { timeout: 60_000 }, () => {
  let port = 0;
  let server: ChildProcess | undefined;
  let nodes: SharedBudget[] = [];
  let tenants = 0;

  async function startRedis(): Promise<void> {
    server = spawn(
      'redis-server',
      ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
      { stdio: 'ignore' },
    );
    const probe = new Redis(port, '127.0.0.1', { retryStrategy: () => 50, maxRetriesPerRequest: null });
    probe.on('error', () => undefined);
    await probe.ping();
    probe.disconnect();
  }

  async function killRedis(): Promise<void> {
    const dying = server as ChildProcess;
    dying.kill('SIGKILL');
    if (dying.exitCode === null && dying.signalCode === null) await once(dying, 'exit');
  }

  /** A node connected to Redis: what it logs, and how often it fell back to its own memory. */
  async function startNode(fallback: TakeBudget = memoryBudget(systemClock)) {
    const log = { warn: vi.fn(), info: vi.fn() };
    const own = vi.fn(fallback);
    const node = redisBudget(`redis://127.0.0.1:${port}`, own, log);
    nodes.push(node);
    await vi.waitFor(
      async () => {
        own.mockClear();
        await node.take(0, 1_000_000);
        expect(own).not.toHaveBeenCalled();
      },
      { timeout: 60_000, interval: 20 },
    );
    return { take: node.take, log, own };
  }

  beforeAll(async () => {
    const finder = createServer().listen(0, '127.0.0.1');
    await once(finder, 'listening');
    port = (finder.address() as AddressInfo).port;
    finder.close();
    await startRedis();
  });
  afterEach(() => {
    for (const node of nodes) node.close();
    nodes = [];
  });
  afterAll(killRedis);

  // A machine that stalls for a whole second lets a second budget through, which is correct; the test tries again.
  it('lets two nodes together accept one budget, within 10 %', { retry: 3 }, async () => {
    const [one, two] = [await startNode(() => 1), await startNode(() => 1)];
    const [tenant, perSecond] = [++tenants, 400];
    const waits = await Promise.all(
      Array.from({ length: 2 * perSecond }, (_, i) => (i % 2 ? one : two).take(tenant, perSecond)),
    );
    const accepted = waits.filter((wait) => wait === 0).length;
    expect(accepted).toBeGreaterThanOrEqual(perSecond * 0.9);
    expect(accepted).toBeLessThanOrEqual(perSecond * 1.1);
    for (const wait of waits) expect([0, 1]).toContain(wait);
  });

  it('keeps tenants and budgets apart', { retry: 3 }, async () => {
    const { take } = await startNode();
    const [a, b] = [++tenants, ++tenants];
    expect(await take(a, 1)).toBe(0);
    expect(await take(a, 1)).toBe(1);
    expect(await take(b, 1)).toBe(0);
    expect(await take(a, 2)).toBe(0);
  });

  it('never refuses a sequential client twice in a row when it honours Retry-After', { retry: 3 }, async () => {
    const { take } = await startNode();
    const tenant = ++tenants;
    expect([await take(tenant, 2), await take(tenant, 2), await take(tenant, 2)]).toEqual([0, 0, 1]);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(await take(tenant, 2)).toBe(0);
  });

  it.each([1, 3])('stores no more than the budget of %i, however long a tenant goes on', async (perSecond) => {
    const { take } = await startNode();
    const tenant = ++tenants;
    const redis = new Redis(port, '127.0.0.1');
    nodes.push({ take, close: () => redis.disconnect() });
    const key = `rapport:budget:${tenant}:${perSecond}`;
    // Earlier requests, all outside the window by now.
    for (let i = 0; i < perSecond; i++) await redis.lpush(key, 1000 + i);
    for (let i = 0; i < 3; i++) {
      expect(await take(tenant, perSecond)).toBe(0);
      await redis.lset(key, 0, 2000 + i);
    }
    expect(await redis.llen(key)).toBe(perSecond);
    expect(await redis.pttl(key)).toBeGreaterThan(0);
  });

  it('falls back to each node’s own budget with one warning, and shares again when Redis is back', {
    retry: 2,
  }, async () => {
    const [one, two] = [await startNode(), await startNode()];
    await killRedis();
    const tenant = ++tenants;
    for (const node of [one, two]) {
      node.own.mockClear();
      const waits = await Promise.all(Array.from({ length: 20 }, () => node.take(tenant, 10)));
      expect(node.own).toHaveBeenCalledTimes(20);
      expect(waits.filter((wait) => wait === 0)).toHaveLength(10);
      await vi.waitFor(() => expect(node.log.warn).toHaveBeenCalled(), { timeout: 60_000 });
      await node.take(tenant, 10);
    }
    await startRedis();
    for (const node of [one, two]) {
      await vi.waitFor(() => expect(node.log.info).toHaveBeenCalledTimes(1), { timeout: 60_000 });
      expect(node.log.warn).toHaveBeenCalledTimes(1);
      node.own.mockClear();
    }
    const later = ++tenants;
    const waits = await Promise.all(Array.from({ length: 40 }, (_, i) => (i % 2 ? one : two).take(later, 20)));
    expect(waits.filter((wait) => wait === 0)).toHaveLength(20);
    expect(one.own).not.toHaveBeenCalled();
    expect(two.own).not.toHaveBeenCalled();
  });

  it('warns and falls back when Redis hangs, and says when it answers again', { retry: 2 }, async () => {
    const { take, log, own } = await startNode(() => 7);
    server?.kill('SIGSTOP');
    expect(await take(++tenants, 10)).toBe(7);
    expect(log.warn).toHaveBeenCalledTimes(1);
    server?.kill('SIGCONT');
    await vi.waitFor(async () => expect(await take(tenants, 1_000_000)).toBe(0), { timeout: 60_000 });
    expect(log.info).toHaveBeenCalledTimes(1);
    expect(own).toHaveBeenCalled();
  });

  it('waits for a Redis that hangs once, and not once a request', async () => {
    const { take, log } = await startNode(() => 7);
    server?.kill('SIGSTOP');
    // The first request to wait too long releases all others that wait.
    const waits = await Promise.all(Array.from({ length: 50 }, () => take(++tenants, 10)));
    expect(waits).toEqual(Array(50).fill(7));
    // From then on the result is synchronous: no promise.
    for (let i = 0; i < 100; i++) expect(take(++tenants, 10)).toBe(7);
    expect(log.warn).toHaveBeenCalledTimes(1);
    server?.kill('SIGCONT');
    await vi.waitFor(() => expect(log.info).toHaveBeenCalledTimes(1), { timeout: 60_000 });
    expect(await take(++tenants, 1_000_000)).toBe(0);
  });

  it('serves from its own budget from the start when Redis is nowhere', async () => {
    const log = { warn: vi.fn(), info: vi.fn() };
    const lonely = redisBudget('redis://127.0.0.1:1', memoryBudget(fakeClock()), log);
    nodes.push(lonely);
    expect([await lonely.take(1, 1), await lonely.take(1, 1)]).toEqual([0, 1]);
    await vi.waitFor(() => expect(log.warn).toHaveBeenCalledTimes(1));
  });
});
