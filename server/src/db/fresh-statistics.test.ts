import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../test/app.js';
import { systemClock } from '../lib/clock.js';
import { FreshStatistics, isDue } from './fresh-statistics.js';
import { sql } from './sql.js';

const t = useApp({ work: true });

// Looks only at our own counts.
beforeAll(() => onceConnected('alter table contact set (autovacuum_enabled = off)'));

/** In a session of its own that ends: only then does PostgreSQL report its writes. */
async function onceConnected(...statements: string[]): Promise<void> {
  const client = new pg.Client(t.connection);
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

async function rowsKnown(table: string): Promise<number> {
  const row = await t.db.row(sql<{ known: number }>`
    select reltuples::float8 as known from pg_class where oid = to_regclass(${table})`);
  return row?.known ?? Number.NaN;
}

async function untilKnown(table: string, rows: number): Promise<void> {
  while ((await rowsKnown(table)) < rows) await sleep(100);
}

describe('statistics for the planner', () => {
  it('are there after the first thousand rows of a table, and not after fewer', async () => {
    await onceConnected(
      'create table filled (tenant_id bigint, note text) with (autovacuum_enabled = off)',
      'create table begun (tenant_id bigint, note text) with (autovacuum_enabled = off)',
      'create table "Odd Name" (tenant_id bigint) with (autovacuum_enabled = off)',
      `insert into filled select 1, 'n' || n from generate_series(1, 1000) n`,
      `insert into begun select 1, 'n' || n from generate_series(1, 999) n`,
      'insert into "Odd Name" select n from generate_series(1, 1000) n',
    );
    await new FreshStatistics(t.db.background, systemClock).refresh();
    expect(await rowsKnown('filled')).toBe(1000);
    expect(await rowsKnown('"Odd Name"')).toBe(1000);
    expect(await rowsKnown('begun')).toBe(-1);
    const columns = await t.db.rows(sql`select attname from pg_stats where tablename = 'filled'`);
    expect(columns).toHaveLength(2);
  });

  it('cover a partitioned table as a whole', async () => {
    await onceConnected(
      'create table parted (tenant_id bigint, month int) partition by list (month)',
      'create table parted_1 partition of parted for values in (1) with (autovacuum_enabled = off)',
      'create table parted_2 partition of parted for values in (2) with (autovacuum_enabled = off)',
      'insert into parted select n, 1 + n % 2 from generate_series(1, 1200) n',
    );
    await new FreshStatistics(t.db.background, systemClock).refresh();
    expect([await rowsKnown('parted'), await rowsKnown('parted_1')]).toEqual([1200, 600]);
  });

  it('do not wait for a lock on the table', async () => {
    await onceConnected(
      'create table taken (tenant_id bigint) with (autovacuum_enabled = off)',
      'insert into taken select n from generate_series(1, 2000) n',
    );
    const holder = new pg.Client(t.connection);
    await holder.connect();
    await holder.query('begin; lock table taken in share mode');
    await new FreshStatistics(t.db.background, systemClock).refresh();
    expect(await rowsKnown('taken')).toBe(-1);
    await holder.end();
    await new FreshStatistics(t.db.background, systemClock).refresh();
    expect(await rowsKnown('taken')).toBe(2000);
  });

  it('of a table that was counted before wait until the database has rested', async () => {
    await onceConnected(
      'create table again (tenant_id bigint) with (autovacuum_enabled = off)',
      'create table beside (tenant_id bigint) with (autovacuum_enabled = off)',
      'insert into again select n from generate_series(1, 1000) n',
      'insert into beside select n from generate_series(1, 1000) n',
    );
    let ms = 0;
    // Every read of the clock is a second later, so a count takes one.
    const statistics = new FreshStatistics(t.db.background, { ...systemClock, elapsed: () => (ms += 1000) });
    await statistics.refresh();
    await onceConnected(
      'insert into again select n from generate_series(1, 5000) n',
      'insert into beside select n from generate_series(1, 5000) n',
    );
    ms += 60_000;
    await statistics.refresh();
    const known = async () => [await rowsKnown('again'), await rowsKnown('beside')].sort();
    expect(await known()).toEqual([1000, 6000]);
    ms += 60_000;
    await statistics.refresh();
    expect(await known()).toEqual([6000, 6000]);
  });

  it('come by themselves after an import', async () => {
    const tenant = await t.tenant();
    const rows = Array.from({ length: 1200 }, (_, n) => `p${n}@x.example,${n}`);
    await tenant.done(
      await tenant.post('/v2/contacts/import', ['email,number', ...rows].join('\n'), { 'content-type': 'text/csv' }),
    );
    await untilKnown('contact', 1200);
  });
});

describe('the next count of a table', () => {
  const took = { at: 0, tookMs: 100 };

  it('comes at once if there was none', () => {
    expect(isDue({ table: 't', known: 0, changed: 1000 }, undefined, 5)).toBe(true);
  });

  it.each([
    [100_000, 100_000, 2000],
    [100_000, 11_000, 100_000],
  ])('of %i rows with %i new ones rests for %i ms after one that took 100', (known, changed, rest) => {
    expect(isDue({ table: 't', known, changed }, took, rest - 1)).toBe(false);
    expect(isDue({ table: 't', known, changed }, took, rest)).toBe(true);
  });
});
