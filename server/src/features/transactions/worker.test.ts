import { describe, expect, it } from 'vitest';
import { useDatabase } from '../../../test/database.js';
import { newTenant, transactionsOn } from '../../../test/transactions.js';
import { sql } from '../../db/sql.js';
import { systemClock } from '../../lib/clock.js';
import { unwatched } from '../../work/queue.js';
import { startWorker } from '../../work/worker.js';
import { Acknowledger } from './acknowledge.js';
import type { Applier } from './appliers.js';
import { selectHeads, sweepTransactions } from './queries.js';
import { readTransaction } from './read-transaction.js';
import { serveTenant, writeQueue } from './write-queue.js';

const t = useDatabase();
let tenants = 0;

const alone = { clock: systemClock, watch: unwatched, onError: () => undefined };

const { poll, setUp } = transactionsOn(t);

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

  it('wakes no worker and waits, with those that came after it', async () => {
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
    // Leftovers of earlier tests have their turn too.
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
