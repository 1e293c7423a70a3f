import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { useDatabase } from '../../test/database.js';
import { type Stallable, stallable } from '../../test/stallable.js';
import { DatabaseBusy, whyUnavailable } from './connect.js';
import { type Database, type DatabaseOptions, openDatabase } from './database.js';
import { sql } from './sql.js';

const t = useDatabase();
const opened: { close(options?: object): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close({ atOnce: true });
});

function open(options: DatabaseOptions, connection = t.connection): Database {
  const db = openDatabase(connection, options);
  opened.push(db);
  return db;
}

const one = sql<{ one: number }>`select 1 as one`;
const forever = sql`select pg_sleep(600)`;

async function countRunning(query: string): Promise<number> {
  const row = await t.db.row(sql<{ count: number }>`
    select count(*) from pg_stat_activity where datname = current_database() and state = 'active' and query = ${query}`);
  return row?.count ?? 0;
}

async function untilRunning(query: string, count: number): Promise<void> {
  while ((await countRunning(query)) < count) await sleep(5);
}

/** The database could not be reached or went away, as opposed to refusing the statement. */
function isConnectionError(error: unknown): boolean {
  return /does not answer|cannot be reached/.test(whyUnavailable(error)?.reason ?? '');
}

it('survives a connection that dies while it passes from one caller to the next', async () => {
  const db = openDatabase(t.connection, { slowReads: 1 });
  const connection = await db.slow(1).row(sql<{ pid: number }>`select pg_backend_pid() as pid`);
  await t.db.ping();
  const first = db.slow(1).run(sql`select pg_sleep(0.05)`);
  const second = db.slow(2).run(sql`select 1`);
  const killed = t.db.run(sql`select pg_terminate_backend(${connection?.pid}) from pg_sleep(0.2)`);
  await setImmediate();
  await setImmediate();
  // Nothing is read in the meantime, so the reply and the end of the connection arrive together.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  expect(await first).toBe(1);
  // It may have been told in time to use another connection.
  await second.catch((error: unknown) => expect(isConnectionError(error)).toBe(true));
  await killed;
  expect(await db.slow(1).run(sql`select 1`)).toBe(1);
  await db.close();
});

describe('slow reads', () => {
  it('end at their limit with words that say what to do, and the connection goes on', async () => {
    const db = open({ slowReads: 1, slowReadMs: 300 });
    const before = await db.slow(1).row(sql`select pg_backend_pid()`);
    const error = await db
      .slow(1)
      .rows(forever)
      .catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(DatabaseBusy);
    expect(error).toMatchObject({
      reason: 'the read took longer than 0.3 s; narrow the search or ask for an earlier page, then try again',
      retryAfter: 5,
    });
    expect(await db.slow(1).row(sql`select pg_backend_pid()`)).toEqual(before);
  });

  it('delay neither point reads, nor transactions, nor the background', async () => {
    const db = open({ slowReads: 2, slowWaitMs: 60_000 });
    const slow = Array.from({ length: 50 }, (_, i) =>
      db
        .slow(i % 5)
        .rows(forever)
        .catch(() => undefined),
    );
    expect(await db.row(one)).toEqual({ one: 1 });
    expect(await db.transaction((tx) => tx.row(one))).toEqual({ one: 1 });
    expect(await db.background.row(one)).toEqual({ one: 1 });
    expect(await db.background.transaction((tx) => tx.row(one))).toEqual({ one: 1 });
    expect(await countRunning('select pg_sleep(600)')).toBeLessThanOrEqual(2);
    await db.close({ atOnce: true });
    await Promise.all(slow);
  });

  it('are refused when no connection comes free in time', async () => {
    const db = open({ slowReads: 1, slowWaitMs: 50 });
    const slow = db
      .slow(1)
      .rows(forever)
      .catch(() => undefined);
    await expect(db.slow(2).row(one)).rejects.toThrow('too many slow reads are waiting; try again');
    await db.close({ atOnce: true });
    await slow;
  });

  it('have as much less time as they waited for their place', async () => {
    const db = open({ slowReads: 1, slowReadMs: 20_000, slowWaitMs: 60_000 });
    const limit = sql<{ ms: number }>`select setting::int as ms from pg_settings where name = 'statement_timeout'`;
    const first = db.slow(1).run(sql`select pg_sleep(0.5)`);
    const second = db.slow(2).row(limit);
    await first;
    const ms = (await second)?.ms ?? 0;
    expect(ms).toBeGreaterThan(0);
    expect(ms).toBeLessThanOrEqual(19_500);
  });

  it('of one place that have no time left are ended before they begin', async () => {
    const db = open({ slowReads: 1, slowReadMs: 400 });
    const reading = db.slowly(1, async (reader) => {
      for (;;) await reader.run(sql`select pg_sleep(0.1)`);
    });
    await expect(reading).rejects.toThrow('the read took longer than 0.4 s');
  });

  it('that belong together keep one place until all are done', async () => {
    const db = open({ slowReads: 1, slowWaitMs: 50 });
    const read = await db.slowly(1, async (reader) => {
      const first = await reader.row(one);
      await expect(db.slow(2).row(one)).rejects.toThrow('too many slow reads are waiting');
      return [first, await reader.row(one)];
    });
    expect(read[1]).toEqual(read[0]);
    expect(await db.slow(2).row(one)).toEqual(read[0]);
  });

  it('are planned for their values, and leave no setting behind on the connection', async () => {
    const db = open({ slowReads: 1, background: 1 });
    const mode = sql<{ mode: string }>`select current_setting('plan_cache_mode') as mode`;
    expect(await db.slow(1).row(mode)).toEqual({ mode: 'force_custom_plan' });
    expect(await db.background.row(mode)).toEqual({ mode: 'force_custom_plan' });
    expect(await db.transaction((tx) => tx.row(mode))).toEqual({ mode: 'force_custom_plan' });
    expect(await db.row(mode)).toEqual({ mode: 'force_generic_plan' });
  });
});

describe('closing', () => {
  it('waits for what is in flight', async () => {
    const db = open({});
    const held = sql`select pg_advisory_xact_lock_shared(1)`;
    let ends: Promise<unknown[]> | undefined;
    await t.db.transaction(async (tx) => {
      await tx.run(sql`select pg_advisory_xact_lock(1)`);
      const running = [db.background.run(held), db.slow(1).run(held)];
      await untilRunning('select pg_advisory_xact_lock_shared(1)', 2);
      ends = Promise.all([...running, db.close()]);
    });
    expect(await ends).toEqual([1, 1, undefined]);
  });

  it('at once fails what is in flight and what waits, whatever the database does', async () => {
    const db = open({ background: 1, poolSize: 1 });
    const running = [
      db.run(forever),
      db.slow(1).run(forever),
      db.background.run(forever),
      db.background.run(forever),
      db.transaction((tx) => tx.run(forever)),
      db.transaction((tx) => tx.run(forever)),
    ].map((one) => one.catch((error: unknown) => error));
    // A read, a slow one, the only one of the background, and the only transaction: the others wait.
    await untilRunning('select pg_sleep(600)', 4);
    await db.close({ atOnce: true });
    for (const error of await Promise.all(running)) expect(isConnectionError(error)).toBe(true);
    await expect(db.row(one)).rejects.toThrow(DatabaseBusy);
    await expect(db.background.row(one)).rejects.toThrow(DatabaseBusy);
  });
});

describe('a database that stops answering', () => {
  let relay: Stallable;
  async function openStallable(options: DatabaseOptions): Promise<Database> {
    relay = await stallable(t.connection);
    opened.unshift(relay);
    return open(options, relay.connection);
  }

  async function eventually(db: Database): Promise<void> {
    while (
      !(await db.row(one).then(
        () => true,
        () => false,
      ))
    )
      await sleep(20);
  }

  it('fails what is in flight, refuses all callers at once from then on, and serves again when it answers', async () => {
    const db = await openStallable({ answerMs: 300, lanes: 1 });
    await db.row(one);
    relay.stall();
    const inFlight = [db.row(one), db.row(one)].map((read) => read.catch((error: unknown) => error));
    for (const error of await Promise.all(inFlight)) expect(isConnectionError(error)).toBe(true);
    for (const ask of [
      () => db.row(one),
      () => db.slow(1).row(one),
      () => db.transaction((tx) => tx.row(one)),
      () => db.ping(),
    ])
      await expect(ask()).rejects.toThrow('the database does not answer; try again');
    relay.goOn();
    await eventually(db);
    expect(await db.slow(1).row(one)).toEqual({ one: 1 });
    expect(await db.transaction((tx) => tx.row(one))).toEqual({ one: 1 });
  });

  it('lets the background go on where it was', async () => {
    const db = await openStallable({ answerMs: 300 });
    await db.background.row(one);
    relay.stall();
    const waiting = db.background.row(one);
    await expect(db.row(one)).rejects.toThrow(DatabaseBusy);
    relay.goOn();
    expect(await waiting).toEqual({ one: 1 });
  });

  it('still closes at once', async () => {
    const db = await openStallable({ answerMs: 60_000 });
    await db.background.row(one);
    relay.stall();
    const waiting = [db.row(one), db.background.row(one)].map((read) => read.catch((error: unknown) => error));
    await db.close({ atOnce: true });
    for (const error of await Promise.all(waiting)) expect(isConnectionError(error)).toBe(true);
  });

  it('is not assumed when one statement takes long: only that one fails', async () => {
    const db = open({ answerMs: 2000, lanes: 1 });
    await db.row(one);
    const held = db.run(forever).catch((error: unknown) => error);
    const behind = db.row(one);
    expect(await held).toMatchObject({ code: '57014' });
    expect(await behind).toEqual({ one: 1 });
  });
});

it('reads megabytes for one tenant one after the other, and for another meanwhile', async () => {
  const db = open({});
  const ended: string[] = [];
  const read = (tenantId: number, name: string, statement = sql`select 1`) =>
    db
      .bulky(tenantId)
      .run(statement)
      .then(() => ended.push(name));
  const lock = sql`select pg_advisory_xact_lock(1, 4711)`;
  const own: Promise<number>[] = [];
  await open({}).transaction(async (tx) => {
    await tx.run(lock);
    own.push(read(1, 'first', lock), read(1, 'second'), read(1, 'third'));
    await read(2, 'other');
  });
  await Promise.all(own);
  expect(ended).toEqual(['other', 'first', 'second', 'third']);
});

describe('uploads', () => {
  it('of one tenant store one part at a time, and delay neither another upload nor a transaction', async () => {
    const db = open({});
    const lock = sql`select pg_advisory_xact_lock(1, 4712)`;
    const ended: string[] = [];
    const store = (tenantId: number, name: string, statement = sql`select 1`) =>
      db.upload(tenantId, (tx) => tx.run(statement)).then(() => ended.push(name));
    const own: Promise<number>[] = [];
    await open({}).transaction(async (tx) => {
      await tx.run(lock);
      own.push(store(1, 'first', lock), ...Array.from({ length: 40 }, () => store(1, 'next')));
      await store(2, 'other');
      await db.transaction((own) => own.run(sql`select 1`)).then(() => ended.push('transaction'));
    });
    await Promise.all(own);
    expect(ended.slice(0, 4)).toEqual(['other', 'transaction', 'first', 'next']);
  });

  it('of one tenant are refused when too many wait', async () => {
    const db = open({});
    const all = Array.from({ length: 60 }, () => db.upload(1, (tx) => tx.run(sql`select 1`)));
    const settled = await Promise.allSettled(all);
    const refused = settled.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(9);
    expect(refused[0]).toMatchObject({ reason: { reason: 'too many uploads are being stored; try again' } });
  });
});
