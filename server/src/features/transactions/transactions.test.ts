import { describe, expect, it } from 'vitest';
import { useDatabase } from '../../../test/database.js';
import { newTenant, recorder, transactionsOn } from '../../../test/transactions.js';
import type { Database } from '../../db/database.js';
import { sql } from '../../db/sql.js';
import type { Caller } from '../../http/endpoint.js';
import { Acknowledger } from './acknowledge.js';
import { type Applier, Appliers } from './appliers.js';
import { findTransaction } from './queries.js';
import { serveTenant } from './write-queue.js';

const t = useDatabase();

function caller(tenantId: number): Caller {
  const who = { tenantId, accountId: 1, tokenId: 1, tokenKind: 'personal', role: 'admin' } as const;
  return { ...who, scopes: ['WRITE'], rateLimit: 1 };
}

const { poll, setUp } = transactionsOn(t);

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

  it('ends a turn early if kinds alternate: each run costs its own round trips, and others wait', async () => {
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
    // This worker begins its transaction first, but takes the lock only after another one is done.
    let [began, resume] = [() => {}, () => {}];
    const begun = new Promise<void>((resolve) => {
      began = resolve;
    });
    const paused = new Promise<void>((resolve) => {
      resume = resolve;
    });
    const slow = {
      ...t.db,
      transaction: (work: Parameters<Database['transaction']>[0]) =>
        t.db.transaction(async (tx) => {
          await tx.run(sql`select 1`);
          began();
          await paused;
          return work(tx);
        }),
    } as Database;
    const late = serveTenant(slow, appliers, tenantId);
    await begun;
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
