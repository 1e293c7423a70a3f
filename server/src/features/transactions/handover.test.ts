import { describe, expect, it } from 'vitest';
import { useDatabase } from '../../../test/database.js';
import { newTenant } from '../../../test/transactions.js';
import { systemClock } from '../../lib/clock.js';
import { unwatched } from '../../work/queue.js';
import { Acknowledger } from './acknowledge.js';
import { Appliers } from './appliers.js';
import { bodyOf, Handover } from './handover.js';
import { writeQueue } from './write-queue.js';

const t = useDatabase();
const kib = 1024;

function opened(clock = systemClock): Handover {
  const handover = new Handover(clock);
  handover.of(1);
  return handover;
}

describe('a handover', () => {
  it('has the bodies of one tenant until they are dropped', () => {
    const handover = opened();
    handover.put(1, 'a', { n: 1 }, 5 * kib);
    handover.put(2, 'b', { n: 2 }, 5 * kib);
    expect([...handover.of(1)]).toEqual([['a', { n: 1 }]]);
    handover.drop('a');
    expect([...handover.of(1), ...handover.of(2)]).toEqual([['b', { n: 2 }]]);
  });

  it('holds nothing in a process that applies no writes, and nothing short or very long', () => {
    const closed = new Handover();
    closed.put(1, 'a', {}, 5 * kib);
    expect(closed.of(1).size).toBe(0);
    const handover = opened();
    handover.put(1, 'short', {}, 4 * kib - 1);
    handover.put(1, 'long', {}, 256 * kib + 1);
    expect(handover.of(1).size).toBe(0);
  });

  it('keeps the oldest when it is full, and has room again once they are dropped', () => {
    const handover = opened();
    for (let n = 0; n < 17; n++) handover.put(1, `${n}`, n, 256 * kib);
    expect([...handover.of(1).values()]).toEqual([...Array(16).keys()]);
    handover.drop('0');
    handover.put(1, 'again', 17, 256 * kib);
    expect([...handover.of(1).keys()].at(-1)).toBe('again');
  });

  it('forgets what another process has applied meanwhile', () => {
    let now = 0;
    const handover = opened({ ...systemClock, elapsed: () => now });
    handover.put(1, 'old', {}, 5 * kib);
    now = 10_001;
    expect(handover.of(2).size + handover.of(1).size).toBe(0);
  });
});

describe('a write whose body is held', () => {
  const pad = 'x'.repeat(5 * kib);

  function setUp() {
    const seen: { hasBody: boolean; n: number }[] = [];
    let failures = 0;
    const appliers = new Appliers();
    appliers.onApply({
      kinds: ['test'],
      apply: async (_tx, _tenantId, writes) => {
        for (const write of writes) {
          const body = await bodyOf<{ n: number }>(write);
          seen.push({ hasBody: write.body !== undefined, n: body.n });
          body.n = -1;
        }
        if (failures-- > 0) throw Object.assign(new Error('gone'), { code: '57P01' });
        return writes.map(() => ({ results: null }));
      },
      refuse: () => ({ results: null }),
    });
    const handover = opened();
    const acknowledger = new Acknowledger(t.db, () => undefined, { handover });
    const write = (tenantId: number, n: number) => {
      const body = { n, pad };
      return acknowledger.acknowledge({ tenantId, kind: 'test', items: 1, payload: JSON.stringify(body), body });
    };
    const queue = writeQueue(t.db, appliers, handover);
    const serve = (tenantId: number) => queue.serve(tenantId, unwatched, new AbortController().signal);
    return { seen, serve, write, fail: (times: number) => (failures = times) };
  }

  it('is applied from it, among others that are read from their rows', async () => {
    const { seen, serve, write } = setUp();
    const tenantId = await newTenant(t.db);
    await write(tenantId, 1);
    await new Acknowledger(t.db, () => undefined).acknowledge({
      ...{ tenantId, kind: 'test', items: 1, payload: JSON.stringify({ n: 2, pad }) },
    });
    await write(tenantId, 3);
    expect(await serve(tenantId)).toBe(3);
    expect(seen).toEqual([
      { hasBody: true, n: 1 },
      { hasBody: false, n: 2 },
      { hasBody: true, n: 3 },
    ]);
  });

  it('is read from its row when the first attempt failed, which may have changed the body', async () => {
    const { seen, serve, write, fail } = setUp();
    const tenantId = await newTenant(t.db);
    await write(tenantId, 7);
    fail(1);
    await expect(serve(tenantId)).rejects.toThrow('gone');
    expect(await serve(tenantId)).toBe(1);
    expect(seen).toEqual([
      { hasBody: true, n: 7 },
      { hasBody: false, n: 7 },
    ]);
  });
});
