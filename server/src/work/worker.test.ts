// The loop on a table of reminders, on a real database.
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useDatabase } from '../../test/database.js';
import { sql } from '../db/sql.js';
import { systemClock } from '../lib/clock.js';
import { headsOf } from './heads.js';
import { type Queue, unwatched, type Watch } from './queue.js';
import { startWorker } from './worker.js';

const t = useDatabase();
const done: string[] = [];

beforeAll(async () => {
  await t.db.run(sql`create table reminder (tenant_id bigint, due_at timestamptz, name text)`);
  await t.db.run(sql`create index on reminder (tenant_id, due_at)`);
});
beforeEach(async () => {
  done.length = 0;
  await t.db.run(sql`delete from reminder`);
});

async function remind(tenantId: number, name: string, inMs = 0, now = databaseTime()): Promise<void> {
  await t.db.run(sql`insert into reminder values (${tenantId}, ${now} + ${inMs}::float8 * interval '1 ms', ${name})`);
}

const databaseTime = () => sql`clock_timestamp()`;

const heads = headsOf(sql`reminder`, sql`true`, sql`due_at`, sql`due_at`);

function reminders(over: Partial<Queue> = {}, now = databaseTime): Queue {
  return {
    name: 'reminders',
    hands: 1,
    pollMs: 60_000,
    due: async () => {
      const rows = await t.db.rows(sql<{ tenantId: number; waitMs: number }>`
        select tenant_id as "tenantId", extract(epoch from due_at - ${now()})::float8 * 1000 as "waitMs"
        from ${heads} heads`);
      const later = rows.filter((row) => row.waitMs > 0).map((row) => row.waitMs);
      const tenants = rows.filter((row) => row.waitMs <= 0).map((row) => row.tenantId);
      return { tenants, nextInMs: later.length > 0 ? Math.min(...later) : undefined };
    },
    serve: async (tenantId) => {
      const rows = await t.db.rows(sql<{ name: string }>`
        delete from reminder where ctid = any(array(
          select ctid from reminder where tenant_id = ${tenantId} and due_at <= ${now()} order by due_at limit 2))
        returning name`);
      if (rows.some((row) => row.name === 'broken')) {
        await remind(tenantId, 'broken');
        throw new Error('broken');
      }
      done.push(...rows.map((row) => `${tenantId} ${row.name}`));
      return rows.length;
    },
    waiting: async () => [],
    ...over,
  };
}

const start = (queue: Queue, watch: Watch = unwatched) =>
  startWorker(queue, { clock: systemClock, watch, onError: () => undefined });

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(2);
}

describe('the worker', () => {
  it('lets hands that look at the same time share a look, and look again after a wake', async () => {
    const answers: (() => void)[] = [];
    const due = () => new Promise<{ tenants: number[] }>((resolve) => answers.push(() => resolve({ tenants: [] })));
    const loop = start(reminders({ hands: 3, due }));
    await until(() => answers.length > 0);
    answers[0]?.();
    // Waits until all hands are idle.
    await setImmediate();
    loop.wake();
    await until(() => answers.length > 1);
    // The look that is running may have missed what this wake is about.
    loop.wake();
    answers[1]?.();
    await until(() => answers.length === 3);
    answers[2]?.();
    await loop.stop();
    // If each hand had looked by itself, there would be more.
    expect(answers).toHaveLength(3);
  });

  it('asks a tenant whose work is gone, or with another worker, once per look', async () => {
    const served: number[] = [];
    const none = (tenantId: number) => {
      served.push(tenantId);
      return Promise.resolve(tenantId === 1 ? 0 : ('busy' as const));
    };
    let looks = 0;
    const due = () => Promise.resolve({ tenants: ++looks <= 2 ? [1, 2] : [] });
    const loop = start(reminders({ due, serve: none }));
    await until(() => served.length >= 2);
    loop.wake();
    await until(() => looks >= 2 && served.length >= 4);
    loop.wake();
    // One more look: by then everything that the first two caused has happened.
    await until(() => looks >= 3);
    await loop.stop();
    expect(served.sort()).toEqual([1, 1, 2, 2]);
  });

  it('does what is due, and the rest when its time comes, without being woken', async () => {
    // Here time passes only while the worker waits, and by as much as it was told: a slow machine cannot make two
    // reminders due at once.
    let passedMs = 0;
    let toldMs = 0;
    const now = () => sql`(timestamptz '2026-11-15T09:30:00Z' + ${passedMs}::float8 * interval '1 ms')`;
    const queue = reminders({}, now);
    const due: Queue['due'] = async () => {
      passedMs += toldMs;
      const found = await queue.due();
      toldMs = found.tenants.length > 0 ? 0 : (found.nextInMs ?? 0);
      return found;
    };
    await remind(1, 'now', 0, now());
    await remind(1, 'soon', 120, now());
    await remind(2, 'sooner', 60, now());
    const startedAt = performance.now();
    const loop = start({ ...queue, due });
    await until(() => done.length === 3);
    await loop.stop();
    expect(done).toEqual(['1 now', '2 sooner', '1 soon']);
    // A timer may be a millisecond early.
    expect(performance.now() - startedAt).toBeGreaterThan(115);
  });

  it("waits by the database's clock as well, without being woken", async () => {
    await remind(1, 'later', 60);
    const loop = start(reminders());
    await until(() => done.length === 1);
    await loop.stop();
    expect(done).toEqual(['1 later']);
  });

  it('lets only the tenant whose turns fail rest, and reports every failure', async () => {
    await remind(1, 'broken');
    for (let i = 0; i < 20; i++) await remind(2, `${i}`);
    const failures: number[] = [];
    const startedAt = performance.now();
    const loop = start(reminders(), { ...unwatched, retried: (_kind, tenantId) => failures.push(tenantId) });
    await until(() => done.length === 20);
    await loop.stop();
    expect(new Set(failures)).toEqual(new Set([1]));
    // Rests of 100 ms, 200 ms, 400 ms and so on: no more than fit into the time that it took.
    const tookMs = performance.now() - startedAt;
    expect(failures.length).toBeLessThanOrEqual(1 + Math.floor(Math.log2(tookMs / 100 + 1)));
  });

  it('continues after a failed look for work', async () => {
    let fails = 3;
    const queue = reminders();
    const due: Queue['due'] = async () => {
      if (fails-- > 0) throw new Error('away');
      return queue.due();
    };
    await remind(1, 'a');
    const loop = start({ ...queue, due });
    await until(() => done.length === 1);
    await loop.stop();
  });

  it('stops in the middle of a backlog, after the current turn, and signals that turn', async () => {
    for (let i = 0; i < 40; i++) await remind(1, `${i}`);
    const queue = reminders();
    const signals: AbortSignal[] = [];
    let ended = 0;
    const serve: Queue['serve'] = async (tenantId, watch, signal) => {
      signals.push(signal);
      await sleep(20);
      const served = await queue.serve(tenantId, watch, signal);
      ended++;
      return served;
    };
    const loop = start({ ...queue, serve });
    await until(() => done.length >= 4);
    await loop.stop();
    expect(ended).toBe(signals.length);
    expect(done.length).toBeLessThan(40);
    expect(signals.at(-1)?.aborted).toBe(true);
  });

  it('keeps one of three hands for tenants without a backlog', async () => {
    for (let i = 0; i < 30; i++) for (const tenantId of [1, 2, 3]) await remind(tenantId, `${i}`);
    const queue = reminders({ hands: 3 });
    let busy = 0;
    let most = 0;
    const serve: Queue['serve'] = async (tenantId, watch, signal) => {
      busy++;
      if (done.length > 20) most = Math.max(most, busy);
      await sleep(3);
      const served = await queue.serve(tenantId, watch, signal);
      busy--;
      return served;
    };
    const loop = start({ ...queue, serve });
    await until(() => done.length >= 80);
    await loop.stop();
    expect(most).toBe(2);
  });
});

describe('the first waiting row of every tenant', () => {
  it('is found by hopping through the index, however many rows wait', async () => {
    await t.db.run(sql`
      insert into reminder select n % 5, now() + n * interval '1 s', 'x' from generate_series(1, 20000) n`);
    await t.db.background.run(sql`analyze reminder`);
    const rows = await t.db.rows(sql<{ plan: { Plan: { 'Actual Rows': number; 'Shared Hit Blocks': number } }[] }>`
      explain (analyze, buffers, format json) ${heads}`);
    const [plan] = Object.values(rows[0] as object)[0] as { Plan: Record<string, number> }[];
    expect(plan?.Plan['Actual Rows']).toBe(5);
    // Five descents of a small tree, and one that finds the end.
    expect(plan?.Plan['Shared Hit Blocks']).toBeLessThan(60);
  });
});
