import { describe, expect, it } from 'vitest';
import { useDatabase } from '../../../test/database.js';
import type { Database } from '../../db/database.js';
import { sql } from '../../db/sql.js';
import type { Caller } from '../../http/endpoint.js';
import { systemClock } from '../../lib/clock.js';
import { unwatched } from '../../work/queue.js';
import { startWorker } from '../../work/worker.js';
import { Acknowledger } from './acknowledge.js';
import { type Applier, Appliers } from './appliers.js';
import { findTransaction, type Head, selectHeads, sweepTransactions } from './queries.js';
import { readTransaction } from './read-transaction.js';
import { dueOf, serveTenant, writeQueue } from './write-queue.js';

const t = useDatabase();
let tenants = 0;

function caller(tenantId: number): Caller {
  const who = { tenantId, accountId: 1, tokenId: 1, tokenKind: 'personal', role: 'admin' } as const;
  return { ...who, scopes: ['WRITE'], rateLimit: 1 };
}

/** An applier that notes the order, and fails as the payload says. */
function recorder(): { applier: Applier; applied: string[]; runs: number[] } {
  const applied: string[] = [];
  const runs: number[] = [];
  const applier: Applier = {
    kinds: ['test'],
    async apply(tx, tenantId, writes) {
      for (const { payload } of writes) {
        if (payload === 'poison') await tx.run(sql`select 1 / 0`);
        if (payload === 'bug') throw new Error(`no idea what to do with ${payload}`);
        if (payload === 'away') throw Object.assign(new Error('gone'), { code: '57P01' });
        await tx.run(sql`insert into counter_delta (tenant_id, counter, delta) values (${tenantId}, 'applied', 1)`);
      }
      runs.push(writes.length);
      tx.afterCommit(() => applied.push(...writes.map((write) => write.payload)));
      return writes.map(() => ({ results: { ok: true } }));
    },
    refuse: (write, error) => ({
      results: { ok: false },
      failures: [{ item: 0, email: null, error: `${write.payload}: ${error}` }],
    }),
  };
  return { applier, applied, runs };
}

const poll = (tenantId: number, transactionId: string) =>
  readTransaction(t.db, tenantId, transactionId, () => async (_db, _tenantId, { results }) => ({ shown: results }));

async function newTenant(db: Database): Promise<number> {
  const row = await db.row(
    sql<{ tenant_id: number }>`insert into tenant (name) values (${`T${tenants++}`}) returning tenant_id`,
  );
  return row?.tenant_id as number;
}

function setUp() {
  const record = recorder();
  const appliers = new Appliers();
  appliers.onApply(record.applier);
  const acknowledger = new Acknowledger(t.db, () => undefined);
  const write = (tenantId: number, payload: string) =>
    acknowledger.acknowledge({ tenantId, kind: 'test', items: 1, payload });
  return { ...record, appliers, acknowledger, write };
}

describe('acknowledging', () => {
  it('shares statements between concurrent writes and keeps each one apart', async () => {
    let statements = 0;
    const rows = (statement: never) => {
      statements++;
      return t.db.rows(statement);
    };
    const counting = { ...t.db, rows } as Database;
    const acknowledger = new Acknowledger(counting, () => undefined);
    const tenantId = await newTenant(t.db);
    const all = await Promise.all(
      Array.from({ length: 300 }, (_, i) =>
        acknowledger.acknowledge({ tenantId, kind: 'test', items: 1, payload: `${i}` }),
      ),
    );
    expect(new Set(all.map((one) => one.transactionId)).size).toBe(300);
    expect(statements).toBeLessThanOrEqual(4);
    const queued = await t.db.rows(sql<{ payload: string }>`
      select payload from write_transaction where tenant_id = ${tenantId} order by seq`);
    expect(queued.map((row) => row.payload)).toEqual(Array.from({ length: 300 }, (_, i) => `${i}`));
  });

  it('retries a failed group one by one, so that one bad write harms no other', async () => {
    const tenantId = await newTenant(t.db);
    const acknowledger = new Acknowledger(t.db, () => undefined);
    // PostgreSQL refuses NUL in text. The API never lets one through.
    const payloads = ['a', 'b\0', 'c'];
    const outcomes = await Promise.allSettled(
      payloads.map((payload) => acknowledger.acknowledge({ tenantId, kind: 'test', items: 1, payload })),
    );
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('does not try again after a lost connection, because the commit may have happened', async () => {
    let tries = 0;
    const away = {
      ...t.db,
      rows: async () => {
        tries++;
        throw Object.assign(new Error('terminated'), { code: '57P01' });
      },
    } as unknown as Database;
    const acknowledger = new Acknowledger(away, () => undefined);
    const outcomes = await Promise.allSettled(
      ['a', 'b'].map((payload) => acknowledger.acknowledge({ tenantId: 1, kind: 'test', items: 1, payload })),
    );
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected']);
    expect(tries).toBe(1);
  });

  it('acknowledges once for concurrent duplicates of an Idempotency-Key', async () => {
    const tenantId = await newTenant(t.db);
    const { acknowledger } = setUp();
    const call = { caller: caller(tenantId), idempotency: { route: 'r', key: 'k', bodyHash: '00' } };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => acknowledger.answer(call, { kind: 'test', items: 1, payload: 'p' })),
    );
    expect(new Set(answers.map((answer) => answer.data.transactionId)).size).toBe(1);
    expect(answers.filter((answer) => answer.replayed)).toHaveLength(7);
    const row = await t.db.row(
      sql<{ n: number }>`select count(*) as n from write_transaction where tenant_id = ${tenantId}`,
    );
    expect(row?.n).toBe(1);
  });
});

describe('applying', () => {
  it('takes many writes in one run, in the order of acknowledgement', async () => {
    const { write, appliers, applied, runs } = setUp();
    const tenantId = await newTenant(t.db);
    for (let i = 0; i < 20; i++) await write(tenantId, `${i}`);
    expect(await serveTenant(t.db, appliers, tenantId)).toBe(20);
    expect(applied).toEqual(Array.from({ length: 20 }, (_, i) => `${i}`));
    expect(runs).toEqual([20]);
    expect(await serveTenant(t.db, appliers, tenantId)).toBe(0);
  });

  it('ends a turn early where kinds alternate: each run costs its own round trips, and others wait', async () => {
    const { acknowledger, appliers, applier, applied } = setUp();
    appliers.onApply({ ...applier, kinds: ['other'] });
    const tenantId = await newTenant(t.db);
    const payloads = Array.from({ length: 100 }, (_, i) => `${i}`);
    for (const [i, payload] of payloads.entries())
      await acknowledger.acknowledge({ tenantId, kind: i % 2 ? 'other' : 'test', items: 1, payload });
    expect(await serveTenant(t.db, appliers, tenantId)).toBe(32);
    while ((await serveTenant(t.db, appliers, tenantId)) !== 0);
    expect(applied).toEqual(payloads);
  });

  it('takes no more text in one run than a process has room for, and always one write', async () => {
    const { write, appliers, applied, runs } = setUp();
    const tenantId = await newTenant(t.db);
    const long = 'x'.repeat(6 * 1024 * 1024);
    for (const payload of ['a', long, `${long}1`, `${long}2`, `${long}3`, `${long.repeat(3)}4`, 'b'])
      await write(tenantId, payload);
    while ((await serveTenant(t.db, appliers, tenantId)) !== 0);
    expect(runs).toEqual([2, 1, 1, 1, 1, 1]);
    expect(applied.map((payload) => payload.at(-1)).join('')).toBe('ax1234b');
  });

  it('ends a poisonous write as refused and applies the ones around it, each once', async () => {
    const { write, appliers, applied } = setUp();
    const tenantId = await newTenant(t.db);
    const payloads = ['1', '2', '3', 'poison', '5', '6', 'poison', '8'];
    const acknowledged = [];
    for (const payload of payloads) acknowledged.push(await write(tenantId, payload));
    while ((await serveTenant(t.db, appliers, tenantId)) !== 0);
    expect(applied).toEqual(['1', '2', '3', '5', '6', '8']);
    const { n } = (await t.db.row(sql<{ n: number }>`
      select sum(delta)::int8 as n from counter_delta where tenant_id = ${tenantId} and counter = 'applied'`)) as {
      n: number;
    };
    expect(n).toBe(6);
    const polled = await poll(tenantId, acknowledged[3]?.transactionId as string);
    expect(polled).toMatchObject({ status: 'DONE', shown: { ok: false } });
  });

  it('leaves a write PENDING when the trouble may pass by waiting', async () => {
    const { write, appliers } = setUp();
    const tenantId = await newTenant(t.db);
    const { transactionId } = await write(tenantId, 'away');
    await expect(serveTenant(t.db, appliers, tenantId)).rejects.toThrow('gone');
    const polled = await poll(tenantId, transactionId);
    expect(polled.status).toBe('PENDING');
    await t.db.run(sql`delete from write_transaction where tenant_id = ${tenantId}`);
  });

  it('says busy while another worker holds the tenant', async () => {
    const { write, appliers, applied } = setUp();
    const tenantId = await newTenant(t.db);
    await write(tenantId, 'x');
    const turns = await Promise.all(Array.from({ length: 4 }, () => serveTenant(t.db, appliers, tenantId)));
    expect(turns.filter((turn) => turn === 1)).toHaveLength(1);
    expect(applied).toEqual(['x']);
  });

  it('never gives a later write an earlier time, even when its transaction began first', async () => {
    const times: string[] = [];
    const { applier } = recorder();
    const appliers = new Appliers();
    const timed: Applier = {
      ...applier,
      apply: async (tx, tenantId, writes, now) => {
        times.push(now);
        return applier.apply(tx, tenantId, writes, now);
      },
    };
    appliers.onApply(timed);
    const { write } = setUp();
    const tenantId = await newTenant(t.db);
    await write(tenantId, 'first');
    // A worker whose transaction has begun, but that takes the lock only after another one is through.
    let resume = () => {};
    const paused = new Promise<void>((resolve) => {
      resume = resolve;
    });
    const slow = {
      ...t.db,
      transaction: (work: Parameters<Database['transaction']>[0]) =>
        t.db.transaction(async (tx) => {
          await tx.run(sql`select 1`);
          await paused;
          return work(tx);
        }),
    } as Database;
    const late = serveTenant(slow, appliers, tenantId);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await serveTenant(t.db, appliers, tenantId);
    await write(tenantId, 'second');
    resume();
    await late;
    expect(times).toHaveLength(2);
    expect((times[1] as string) > (times[0] as string)).toBe(true);
  });

  it('drops the payload when done', async () => {
    const { write, appliers } = setUp();
    const tenantId = await newTenant(t.db);
    const { transactionId } = await write(tenantId, 'secret');
    await serveTenant(t.db, appliers, tenantId);
    const row = await findTransaction(t.db, tenantId, transactionId.split('-').slice(1).join(''));
    expect(row).toMatchObject({ status: 'DONE', payload: null });
  });
});

const alone = { clock: systemClock, watch: unwatched, onError: () => undefined };

interface Kept {
  payload: string | null;
  attempts: number;
  lastError: string | null;
  waits: boolean;
}
function keptIn(tenantId: number): Promise<Kept[]> {
  return t.db.rows(sql<Kept>`
    select payload, attempts, last_error as "lastError", due_at is not null as waits
    from write_transaction where tenant_id = ${tenantId} order by seq`);
}
/** Time passes: what was postponed is due. */
async function makeDue(tenantId: number): Promise<void> {
  await t.db.run(sql`update write_transaction set due_at = null where tenant_id = ${tenantId}`);
}

describe('an unexpected error', () => {
  it('is kept in the row, with the attempts, and holds nobody up but the tenant itself', async () => {
    const { write, appliers, applied } = setUp();
    const [tenantId, other] = [await newTenant(t.db), await newTenant(t.db)];
    for (const payload of ['1', 'bug', '3']) await write(tenantId, payload);
    await write(other, 'other');
    expect(await serveTenant(t.db, appliers, tenantId)).toBe(1);
    expect(await serveTenant(t.db, appliers, tenantId)).toBe(0);
    const error = 'Error: no idea what to do with bug';
    expect(await keptIn(tenantId)).toEqual([
      { payload: null, attempts: 0, lastError: null, waits: false },
      { payload: 'bug', attempts: 1, lastError: error, waits: true },
      { payload: '3', attempts: 1, lastError: error, waits: false },
    ]);
    // However slow the machine is, its time has not come.
    await t.db.run(sql`
      update write_transaction set due_at = now() + interval '1 hour' where tenant_id = ${tenantId} and due_at is not null`);
    const due = await writeQueue(t.db, appliers).due();
    expect(due.tenants).toContain(other);
    expect(due.tenants).not.toContain(tenantId);
    expect(due.nextInMs).toBeGreaterThan(0);
    // Not even another worker, which knows nothing of the failure, tries before it is time.
    expect(await serveTenant(t.db, appliers, tenantId)).toBe(0);
    expect((await keptIn(tenantId))[1]?.attempts).toBe(1);
    expect(await serveTenant(t.db, appliers, other)).toBe(1);
    expect(applied).toEqual(['1', 'other']);
    await t.db.run(sql`delete from write_transaction where tenant_id = ${tenantId}`);
  });

  it('ends the write as failed after five attempts, with a reason; those behind it are applied', async () => {
    const { write, appliers, applied } = setUp();
    const tenantId = await newTenant(t.db);
    const acknowledged = [];
    for (const payload of ['bug', '2', 'bug', '4']) acknowledged.push(await write(tenantId, payload));
    const queue = writeQueue(t.db, appliers);
    const failed: string[] = [];
    const watch = { ...unwatched, failed: (kind: string, id: number) => failed.push(`${kind} ${id}`) };
    for (let turns = 0; applied.length < 2 && turns < 30; turns++) {
      await queue.serve(tenantId, watch, new AbortController().signal);
      await makeDue(tenantId);
    }
    expect(applied).toEqual(['2', '4']);
    expect(failed).toEqual([`test ${tenantId}`, `test ${tenantId}`]);
    for (const one of [0, 2]) {
      const polled = await poll(tenantId, acknowledged[one]?.transactionId as string);
      expect(polled).toMatchObject({ status: 'DONE', shown: { ok: false } });
    }
    const [failure] = await t.db.rows(sql<{ error: string }>`
      select error from write_failure where tenant_id = ${tenantId} order by transaction_id`);
    expect(failure?.error).toBe(
      'bug: This write could not be applied: an unexpected error (Error) came 5 times. Report it, and send it again.',
    );
    expect((await keptIn(tenantId)).every((row) => row.lastError === null && !row.waits)).toBe(true);
  });
});

describe('a long write whose next step cannot even be read', () => {
  it('ends after its attempts, with what it had reached, and lets those behind it go on', async () => {
    const { acknowledger, write, appliers, applied } = setUp();
    appliers.onApplyInSteps({
      kinds: ['long'],
      take: async () => {
        throw new Error('damaged');
      },
    });
    const tenantId = await newTenant(t.db);
    const { transactionId } = await acknowledger.acknowledge({
      tenantId,
      kind: 'long',
      items: 3,
      payload: '',
      isLong: true,
    });
    await write(tenantId, 'behind');
    for (let turns = 0; applied.length === 0 && turns < 10; turns++) {
      await serveTenant(t.db, appliers, tenantId);
      await makeDue(tenantId);
    }
    expect(applied).toEqual(['behind']);
    expect((await poll(tenantId, transactionId)).status).toBe('DONE');
    const failures = await t.db.rows(sql`select item, error from write_failure where tenant_id = ${tenantId}`);
    expect(failures).toEqual([{ item: 3, error: expect.stringContaining('The rest could not be applied') }]);
  });
});

describe('a kind that only a newer build knows', () => {
  it('is left to a newer worker, and so is what comes behind it', async () => {
    const { acknowledger, write, appliers, applier, applied } = setUp();
    const tenantId = await newTenant(t.db);
    await write(tenantId, 'before');
    await acknowledger.acknowledge({ tenantId, kind: 'newer', items: 1, payload: 'new' });
    await write(tenantId, 'behind');
    expect(await serveTenant(t.db, appliers, tenantId)).toBe(1);
    expect(await serveTenant(t.db, appliers, tenantId)).toBe(0);
    expect(applied).toEqual(['before']);
    expect((await writeQueue(t.db, appliers).due()).tenants).not.toContain(tenantId);
    appliers.onApply({ ...applier, kinds: ['newer'] });
    while ((await serveTenant(t.db, appliers, tenantId)) !== 0);
    expect(applied).toEqual(['before', 'new', 'behind']);
  });
});

describe('which writes are due', () => {
  const head = (over: Partial<Head>): Head => ({
    tenantId: 1,
    isLong: false,
    seq: 1,
    kind: 'test',
    items: 1,
    waitMs: 0,
    ...over,
  });
  const due = (...heads: Head[]) => dueOf(heads, ({ kind }) => kind === 'test');

  it.each([
    ['a short one', [head({})], [1]],
    ['a long one', [head({ isLong: true })], [1]],
    ['none that waits for its next attempt', [head({ waitMs: 50 })], []],
    ['none of a kind that is not known', [head({ kind: 'newer' })], []],
    [
      'a short one behind a large long one that waits',
      [head({ isLong: true, items: 4001, waitMs: 50 }), head({ seq: 2 })],
      [1],
    ],
    [
      'none behind a small long one that waits',
      [head({ isLong: true, items: 4000, waitMs: 50 }), head({ seq: 2 })],
      [],
    ],
    ['no long one behind a short one that waits', [head({ waitMs: 50 }), head({ isLong: true, seq: 2 })], []],
    ['no long one behind a short one that is not known', [head({ kind: 'newer' }), head({ isLong: true, seq: 2 })], []],
  ])('%s', (_what, heads, tenants) => {
    expect(due(...heads).tenants).toEqual(tenants);
  });

  it('says when the next one is', () => {
    expect(due(head({ waitMs: 80 }), head({ tenantId: 2, waitMs: 30 }), head({ tenantId: 3 }))).toEqual({
      tenants: [3],
      nextInMs: 30,
    });
  });
});

describe('putting writes in the queue from inside a transaction', () => {
  it('is done when that commits, and not when it fails', async () => {
    const { acknowledger, appliers, applied } = setUp();
    const tenantId = await newTenant(t.db);
    const writes = (payload: string) => [{ tenantId, kind: 'test', items: 1, payload }];
    await t.db.transaction((tx) => acknowledger.enqueue(tx, writes('kept')));
    const failing = t.db.transaction(async (tx) => {
      await acknowledger.enqueue(tx, writes('lost'));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    while ((await serveTenant(t.db, appliers, tenantId)) !== 0);
    expect(applied).toEqual(['kept']);
  });

  it('wakes the worker once it has committed, keeps the order, and takes any number', async () => {
    let wakes = 0;
    const acknowledger = new Acknowledger(t.db, () => wakes++);
    const { appliers, applied } = setUp();
    const tenantId = await newTenant(t.db);
    const payloads = Array.from({ length: 600 }, (_, i) => `${i}`);
    await t.db.transaction(async (tx) => {
      await acknowledger.enqueue(
        tx,
        payloads.map((payload) => ({ tenantId, kind: 'test', items: 1, payload })),
      );
      expect(wakes).toBe(0);
    });
    expect(wakes).toBe(1);
    while ((await serveTenant(t.db, appliers, tenantId)) !== 0);
    expect(applied).toEqual(payloads);
  });
});

describe('a write that gathers others', () => {
  const gathering = (tenantId: number, payload: string) => ({
    ...{ tenantId, kind: 'test', items: 1, payload, gatherMs: 60_000 },
  });
  const headOf = async (tenantId: number) => (await selectHeads(t.db)).find((head) => head.tenantId === tenantId);

  async function enqueued(...payloads: string[]) {
    let wakes = 0;
    const acknowledger = new Acknowledger(t.db, () => wakes++);
    const tenantId = await newTenant(t.db);
    for (const payload of payloads)
      await t.db.transaction((tx) => acknowledger.enqueue(tx, [gathering(tenantId, payload)]));
    return { ...setUp(), tenantId, wakes: () => wakes };
  }

  it('wakes nobody and waits, with those that came after it', async () => {
    const { appliers, applied, tenantId, wakes } = await enqueued('a', 'b');
    expect([wakes(), applied]).toEqual([0, []]);
    expect((await headOf(tenantId))?.waitMs).toBeGreaterThan(50_000);
    expect(await serveTenant(t.db, appliers, tenantId)).toBe(0);
  });

  it('is applied with all of them in one run once it has waited', async () => {
    const { appliers, runs, tenantId } = await enqueued('a', 'b', 'c');
    await t.db.run(sql`
      update write_transaction set due_at = now() where tenant_id = ${tenantId} and payload = 'a'`);
    expect((await headOf(tenantId))?.waitMs).toBeLessThanOrEqual(0);
    expect(await serveTenant(t.db, appliers, tenantId)).toBe(3);
    expect(runs).toEqual([3]);
  });

  it('keeps nothing else waiting: it is applied before what comes behind it, at once', async () => {
    const { appliers, applied, write, tenantId } = await enqueued('a', 'b');
    await write(tenantId, 'prompt');
    expect((await headOf(tenantId))?.waitMs).toBeLessThanOrEqual(0);
    expect(await serveTenant(t.db, appliers, tenantId)).toBe(3);
    expect(applied).toEqual(['a', 'b', 'prompt']);
  });
});

describe('the worker', () => {
  it("gives another tenant's single write its turn in front of a long backlog", async () => {
    const { write, appliers, applied } = setUp();
    const [busy, quiet] = [await newTenant(t.db), await newTenant(t.db)];
    // What earlier tests left behind has its turn too.
    await t.db.run(sql`delete from write_transaction where status = 'PENDING'`);
    await t.db.background.run(sql`
      insert into write_transaction (tenant_id, transaction_id, kind, items, payload)
      select ${busy}, gen_random_uuid(), 'test', 1, 'backlog' from generate_series(1, 5000)`);
    await write(quiet, 'single');
    const loop = startWorker({ ...writeQueue(t.db, appliers), hands: 1, pollMs: 10 }, alone);
    while (applied.length < 5001) await new Promise((resolve) => setTimeout(resolve, 5));
    await loop.stop();
    // At most one turn of the other tenant comes before it.
    expect(applied.indexOf('single')).toBeLessThanOrEqual(512);
    expect(await selectHeads(t.db)).toEqual([]);
  });

  it('does not lose a wake-up that comes while it looks for work', async () => {
    const { write, appliers, applied } = setUp();
    const tenantId = await newTenant(t.db);
    const loop = startWorker({ ...writeQueue(t.db, appliers), hands: 2, pollMs: 600_000 }, alone);
    for (let i = 0; i < 30; i++) {
      await write(tenantId, `${i}`);
      loop.wake();
      while (applied.length <= i) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await loop.stop();
    expect(applied).toHaveLength(30);
  });
});

describe('polling and retention', () => {
  it.each(['x', '', '1', '0-00000000-0000-0000-0000-000000000000', '%', '999999999999999999999-0'])(
    'answers NOT_EXIST for the id %j',
    async (id) => {
      expect(await poll(await newTenant(t.db), id)).toEqual({
        transactionId: id,
        status: 'NOT_EXIST',
      });
    },
  );

  it("answers NOT_EXIST for another tenant's transaction", async () => {
    const { write, appliers } = setUp();
    const [one, two] = [await newTenant(t.db), await newTenant(t.db)];
    const { transactionId } = await write(one, 'x');
    expect((await poll(two, transactionId)).status).toBe('NOT_EXIST');
    await serveTenant(t.db, appliers, one);
  });

  it('answers NOT_EXIST for a kind that is polled elsewhere', async () => {
    const { write, appliers } = setUp();
    const tenantId = await newTenant(t.db);
    const { transactionId } = await write(tenantId, 'x');
    expect((await poll(tenantId, transactionId)).status).toBe('PENDING');
    const elsewhere = await readTransaction(t.db, tenantId, transactionId, () => undefined);
    expect(elsewhere).toEqual({ transactionId, status: 'NOT_EXIST' });
    await serveTenant(t.db, appliers, tenantId);
  });

  it('shows nothing that its route has no room for', () => {
    const { applier, appliers } = setUp();
    const presenting = (present: NonNullable<Applier['present']>) =>
      appliers.onApply({ ...applier, kinds: [`shown-${tenants++}`], present });
    presenting(async () => ({ counts: { CREATED: 1, UPDATED: 0, NO_CHANGE: 0, FAILED: 0 } }));
    // @ts-expect-error: the route says what is shown, and this is not it.
    presenting(async () => ({ counts: 'many' }));
  });

  it('removes finished transactions after their days, in small steps, and never pending ones', async () => {
    const { write, appliers } = setUp();
    const tenantId = await newTenant(t.db);
    for (let i = 0; i < 5; i++) await write(tenantId, `${i}`);
    await serveTenant(t.db, appliers, tenantId);
    await t.db.run(
      sql`update write_transaction set finished_at = now() - interval '31 days' where tenant_id = ${tenantId}`,
    );
    await write(tenantId, 'pending');
    await t.db.run(
      sql`update write_transaction set created_at = now() - interval '90 days' where tenant_id = ${tenantId}`,
    );
    expect(await sweepTransactions(t.db, 31, 3)).toBe(3);
    expect(await sweepTransactions(t.db, 31, 3)).toBe(2);
    expect(await sweepTransactions(t.db, 31, 3)).toBe(0);
    const row = await t.db.row(
      sql<{ n: number }>`select count(*) as n from write_transaction where tenant_id = ${tenantId}`,
    );
    expect(row?.n).toBe(1);
  });
});
