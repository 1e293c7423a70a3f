import { describe, expect, it } from 'vitest';
import { useDatabase } from '../../../../test/database.js';
import { newTenant } from '../../../../test/transactions.js';
import type { Database } from '../../../db/database.js';
import { locks, lockTenant, shareTenantSoon } from '../../../db/locks.js';
import { sql } from '../../../db/sql.js';
import { systemClock } from '../../../lib/clock.js';
import { unwatched } from '../../../work/queue.js';
import { Acknowledger } from '../acknowledge.js';
import { type Applier, Appliers } from '../appliers.js';
import { bodyOf, Handover } from '../handover.js';
import type { NewWrite } from '../queries.js';
import { writeQueue } from '../write-queue.js';
import { AtOnce } from './at-once.js';

const t = useDatabase();
const kib = 1024;
type Body = { name: string; pad?: string };

interface Setting {
  db?: Database;
  isOpen?: boolean;
  applier?: Partial<Applier>;
}

function setUp({ db = t.db, isOpen = true, applier = {} }: Setting = {}) {
  const runs: string[][] = [];
  const hadBodies: boolean[] = [];
  const done: string[] = [];
  const retried: string[] = [];
  let now = 0;
  let wakes = 0;
  const recorder: Applier = {
    kinds: ['test'],
    isAppliedAtOnce: true,
    async apply(tx, _tenantId, writes) {
      const bodies = await Promise.all(writes.map((write) => bodyOf<Body>(write)));
      hadBodies.push(...writes.map(({ body }) => body !== undefined));
      if (bodies.some(({ name }) => name === 'poison')) await tx.run(sql`select 1 / 0`);
      tx.afterCommit(() => runs.push(bodies.map(({ name }) => name)));
      return bodies.map(({ name }) => ({
        results: { name },
        failures: name === 'partly' ? [{ item: 3, email: null, error: 'No such thing.' }] : [],
      }));
    },
    refuse: (_write, why) => ({ results: { why } }),
    ...applier,
  };
  const appliers = new Appliers();
  appliers.onApply(recorder);
  appliers.onApply({ ...recorder, kinds: ['other'] });
  appliers.onApply({ ...recorder, kinds: ['queued'], isAppliedAtOnce: false });
  const watch = {
    ...unwatched,
    done: (kind: string, count: number) => done.push(`${kind} ${count}`),
    retried: (kind: string) => retried.push(kind),
  };
  const atOnce = new AtOnce(db, appliers, () => wakes++, { ...systemClock, elapsed: () => now });
  if (isOpen) atOnce.open(watch);
  const handover = new Handover();
  const acknowledger = new Acknowledger(t.db, () => undefined, { handover, atOnce });
  const queue = writeQueue(t.db.background, appliers, handover);
  handover.of(0);
  const send = (tenantId: number, name: string, size = 5 * kib, more: Partial<NewWrite> = {}) => {
    const body: Body = { name, pad: 'x'.repeat(Math.max(0, size - JSON.stringify({ name, pad: '' }).length)) };
    return acknowledger.acknowledge({ tenantId, kind: 'test', items: 1, payload: JSON.stringify(body), body, ...more });
  };
  const serve = async (tenantId: number) => {
    await queue.due();
    return queue.serve(tenantId, watch, new AbortController().signal);
  };
  const pass = (ms: number) => {
    now += ms;
  };
  return { runs, hadBodies, done, retried, send, serve, pass, acknowledger, wakes: () => wakes };
}

interface Kept {
  status: string;
  payload: string | null;
  results: string | null;
}
const kept = (tenantId: number) =>
  t.db.rows(sql<Kept & { name: string }>`
    select status, payload, results from write_transaction where tenant_id = ${tenantId} order by seq`);
const statuses = async (tenantId: number) => (await kept(tenantId)).map(({ status }) => status);

describe('a batch that can be applied at once', () => {
  it('is applied when it is acknowledged, and its row is finished from the start', async () => {
    const { send, runs, done } = setUp();
    const tenantId = await newTenant(t.db);
    expect(await send(tenantId, 'a')).toMatchObject({ status: 'PENDING' });
    expect(runs).toEqual([['a']]);
    expect(await kept(tenantId)).toEqual([{ status: 'DONE', payload: null, results: '{"name":"a"}' }]);
    expect(done).toEqual(['test 1']);
  });

  it('shares its transaction with those that arrive beside it, in their order', async () => {
    const { send, runs, wakes } = setUp();
    const [tenantId, other] = [await newTenant(t.db), await newTenant(t.db)];
    const sent = [send(tenantId, 'a'), send(other, 'x'), send(tenantId, 'b'), send(tenantId, 'c')];
    const ids = (await Promise.all(sent)).map(({ transactionId }) => transactionId);
    expect(new Set(ids).size).toBe(4);
    expect(runs.toSorted()).toEqual([['a', 'b', 'c'], ['x']]);
    expect((await kept(tenantId)).map(({ results }) => results)).toEqual(
      ['a', 'b', 'c'].map((name) => `{"name":"${name}"}`),
    );
    expect(wakes()).toBe(2);
  });

  it('keeps the time of its acknowledgement, and what failed of it', async () => {
    const { send } = setUp();
    const tenantId = await newTenant(t.db);
    const { createdAt } = await send(tenantId, 'partly');
    const [row] = await t.db.rows(sql`
      select w.created_at as "createdAt", w.finished_at >= w.created_at as "isLater", f.item, f.error
      from write_transaction w join write_failure f using (tenant_id, transaction_id) where w.tenant_id = ${tenantId}`);
    expect(row).toEqual({ createdAt, isLater: true, item: 3, error: 'No such thing.' });
  });

  it('is read before its turn if its applier can', async () => {
    const bodies: unknown[] = [];
    const { send } = setUp({
      applier: {
        readAhead: async (body) => ({ read: (body as Body).name }),
        apply: async (_tx, _tenantId, writes) => writes.map(({ body }) => ({ results: bodies.push(body) })),
      },
    });
    await send(await newTenant(t.db), 'a');
    expect(bodies).toEqual([{ read: 'a' }]);
  });
});

describe('queued is', () => {
  it.each<[string, number, Partial<NewWrite> & { body?: undefined }]>([
    ['a short write', 4 * kib - 1, {}],
    ['a very long write', 256 * kib + 1, {}],
    ['a write that is applied in steps', 5 * kib, { isLong: true }],
    ['a write that gathers others', 5 * kib, { gatherMs: 0 }],
    ['a write of a kind that is not applied at once', 5 * kib, { kind: 'queued' }],
    ['a write without its body', 5 * kib, { body: undefined }],
  ])('%s', async (_what, size, more) => {
    const { send, runs, wakes } = setUp();
    const tenantId = await newTenant(t.db);
    await send(tenantId, 'a', size, more);
    expect(await statuses(tenantId)).toEqual(['PENDING']);
    expect([runs.length, wakes()]).toEqual([0, 0]);
  });

  it('everything in a process that applies no writes', async () => {
    const { send } = setUp({ isOpen: false });
    const tenantId = await newTenant(t.db);
    await send(tenantId, 'a');
    expect(await statuses(tenantId)).toEqual(['PENDING']);
  });

  it.each([false, true])('a batch that would overtake a waiting write (long: %s)', async (isLong) => {
    const { send, serve, runs, hadBodies } = setUp();
    const tenantId = await newTenant(t.db);
    await send(tenantId, 'first', 100, { isLong });
    await send(tenantId, 'second');
    expect(await statuses(tenantId)).toEqual(['PENDING', 'PENDING']);
    if (isLong) return;
    expect(await serve(tenantId)).toBe(2);
    expect([runs, hadBodies]).toEqual([[['first', 'second']], [false, true]]);
    await send(tenantId, 'third');
    expect(runs.at(-1)).toEqual(['third']);
  });

  it.each([
    ['a tenant whose turn another worker has', locks.writeTurn, true],
    ['a write that changes contacts while they are held', locks.writes, false],
  ] as const)('%s', async (_what, lock, leavesContacts) => {
    const { send } = setUp({ applier: { leavesContacts } });
    const tenantId = await newTenant(t.db);
    await t.db.background.transaction(async (tx) => {
      await lockTenant(tx, tenantId, lock);
      await send(tenantId, 'a');
    });
    expect(await statuses(tenantId)).toEqual(['PENDING']);
  });

  it('nothing that leaves contacts alone while a turn of journeys changes them', async () => {
    const { send } = setUp({ applier: { leavesContacts: true } });
    const tenantId = await newTenant(t.db);
    await t.db.background.transaction(async (tx) => {
      await shareTenantSoon(tx, tenantId, locks.writes, 1);
      await send(tenantId, 'a');
    });
    expect(await statuses(tenantId)).toEqual(['DONE']);
  });

  it('a group in which kinds alternate too often for one turn', async () => {
    const { send, runs } = setUp();
    const tenantId = await newTenant(t.db);
    const sendMany = (count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, i) => send(tenantId, `${i}`, 5 * kib, { kind: i % 2 ? 'test' : 'other' })),
      );
    await sendMany(32);
    expect(runs).toHaveLength(32);
    await sendMany(33);
    expect(runs).toHaveLength(32);
  });

  it('what goes beyond two tenants, and beyond 4 MiB of one', async () => {
    const { send } = setUp();
    const tenants = await Promise.all([1, 2, 3].map(() => newTenant(t.db)));
    await Promise.all(tenants.map((tenantId) => send(tenantId, 'a')));
    expect(await Promise.all(tenants.map(statuses))).toEqual([['DONE'], ['DONE'], ['PENDING']]);
    const [first] = tenants as [number];
    const sendMany = (count: number) =>
      Promise.all(Array.from({ length: count }, (_, i) => send(first, `${i}`, 256 * kib)));
    await sendMany(16);
    expect(await statuses(first)).not.toContain('PENDING');
    await sendMany(17);
    expect(await statuses(first)).toContain('PENDING');
  });
});

describe('a batch that fails', () => {
  it('is queued with those beside it, from their rows, and ends with its reason', async () => {
    const { send, serve, runs, hadBodies, retried } = setUp();
    const tenantId = await newTenant(t.db);
    const acknowledged = await Promise.all(['a', 'poison', 'c'].map((name) => send(tenantId, name)));
    expect(new Set(acknowledged.map(({ transactionId }) => transactionId)).size).toBe(3);
    expect(await statuses(tenantId)).toEqual(['PENDING', 'PENDING', 'PENDING']);
    expect(retried).toEqual(['test']);
    for (let turns = 0; turns < 5; turns++) await serve(tenantId);
    expect(runs.flat().toSorted()).toEqual(['a', 'c']);
    expect(hadBodies.slice(3)).not.toContain(true);
    expect((await kept(tenantId))[1]?.results).toMatch(/cannot be applied \(code 22012\)/);
  });

  it('lets its tenant rest from it, and no other', async () => {
    const { send, serve, runs, pass } = setUp();
    const [tenantId, other] = [await newTenant(t.db), await newTenant(t.db)];
    await send(tenantId, 'poison');
    for (let turns = 0; turns < 3; turns++) await serve(tenantId);
    await send(tenantId, 'a');
    await send(other, 'b');
    expect(runs).toEqual([['b']]);
    await serve(tenantId);
    pass(10_001);
    await send(tenantId, 'c');
    expect(runs).toEqual([['b'], ['a'], ['c']]);
  });

  it('is not queued if its commit may have happened, so that it is never applied twice', async () => {
    const lost = Object.assign(new Error('terminated'), { code: '57P01' });
    const db: Database = {
      ...t.db,
      transaction: async (work) => {
        await t.db.transaction(work);
        throw lost;
      },
    };
    const { send, runs } = setUp({ db });
    const tenantId = await newTenant(t.db);
    await expect(send(tenantId, 'a')).rejects.toBe(lost);
    expect(await statuses(tenantId)).toEqual(['DONE']);
    expect(runs).toEqual([['a']]);
  });

  it('is queued if something failed right before the commit', async () => {
    const { send } = setUp({
      applier: {
        apply: async (tx, _tenantId, writes) => {
          tx.beforeCommit(() => tx.run(sql`select 1 / 0`).then(() => undefined));
          return writes.map(() => ({ results: null }));
        },
      },
    });
    const tenantId = await newTenant(t.db);
    await send(tenantId, 'a');
    expect(await statuses(tenantId)).toEqual(['PENDING']);
  });
});
