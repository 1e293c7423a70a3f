import { describe, expect, it } from 'vitest';
import { useDatabase } from '../../../test/database.js';
import { newTenant, transactionsOn } from '../../../test/transactions.js';
import { sql } from '../../db/sql.js';
import { unwatched } from '../../work/queue.js';
import type { Head } from './queries.js';
import { dueOf, serveTenant, writeQueue } from './write-queue.js';

const t = useDatabase();

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
/** Lets time pass, so that postponed writes are due. */
async function makeDue(tenantId: number): Promise<void> {
  await t.db.run(sql`update write_transaction set due_at = null where tenant_id = ${tenantId}`);
}

const { poll, setUp } = transactionsOn(t);

describe('an unexpected error', () => {
  it('is kept in the row, with the attempts, and delays only the tenant itself', async () => {
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
    // Not even another worker, which does not know of the failure, tries before it is due.
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
