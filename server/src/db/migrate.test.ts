import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { withDatabase } from '../../test/database-server.js';
import { migrate, readMigrations } from './migrate.js';

let name = '';
const connection = () => ({ connectionString: withDatabase(inject('serverUrl'), name) });

async function run(url: string, statement: string, values: unknown[] = []): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(statement, values);
  } finally {
    await client.end();
  }
}
const onDatabase = (statement: string, values?: unknown[]) => run(connection().connectionString, statement, values);

beforeEach(async () => {
  name = `rapport_migrate_${process.pid}_${randomBytes(4).toString('hex')}`;
  await run(inject('serverUrl'), `create database ${name} template template0`);
});
afterEach(async () => {
  await run(inject('serverUrl'), `drop database ${name} with (force)`);
});

describe('migrate', () => {
  it('brings an empty database up to date, each migration once, however many processes start together', async () => {
    const wanted = (await readMigrations()).map((migration) => migration.name);
    const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(connection())));
    expect(applied.flat().sort()).toEqual(wanted);
    expect(applied.filter((names) => names.length > 0)).toEqual([wanted]);
    const { rows } = await onDatabase('select name from schema_migration order by version');
    expect(rows.map((row) => row.name)).toEqual(wanted);
  });

  it('fails, and ends nothing else, when its connection dies between two statements', async () => {
    const other = new pg.Client(connection());
    await other.connect();
    await other.query('select pg_advisory_lock(7237001)');
    const migrating = migrate(connection());
    const waiting = `select pid from pg_stat_activity where datname = $1 and query like 'select pg_try_advisory_lock%'`;
    let pid: number | undefined;
    while (pid === undefined) pid = (await other.query(waiting, [name])).rows[0]?.pid;
    const killed = other.query(
      `select pg_advisory_unlock(7237001), (select pg_terminate_backend(${pid}) from pg_sleep(0.1))`,
    );
    // Nothing is read in the meantime, so the reply and the end of the connection arrive together.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
    await expect(migrating).rejects.toThrow();
    await killed;
    await other.end();
    expect(await migrate(connection())).not.toEqual([]);
  });

  it('gives way to a query that uses its table, keeps no other waiting behind it, and is applied afterwards', async () => {
    const waiting: string[] = [];
    const last = (await readMigrations()).length;
    await migrate(connection(), { upTo: 37 });
    const [report, other] = [new pg.Client(connection()), new pg.Client(connection())];
    await Promise.all([report.connect(), other.connect()]);
    await report.query('begin; select count(*) from message');
    // A new column of messages.
    const migrated = migrate(connection(), { upTo: 38, say: (doing) => waiting.push(doing) });
    while (waiting.length < 2) {
      await other.query('begin; lock table message in row exclusive mode; rollback');
      await other.query('select pg_sleep(0.02)');
    }
    await report.query('rollback');
    expect(await migrated).toEqual(['0038-broadcasts.sql']);
    expect(waiting[0]).toBe('0038-broadcasts.sql waits for a query or a transaction that uses its tables');
    expect(await migrate(connection())).toHaveLength(last - 38);
    await Promise.all([report.end(), other.end()]);
  });

  it('does nothing when there is nothing to do', async () => {
    await migrate(connection());
    const before = (await onDatabase('select * from schema_migration order by version')).rows;
    expect(await migrate(connection())).toEqual([]);
    expect((await onDatabase('select * from schema_migration order by version')).rows).toEqual(before);
  });

  it('refuses to go on when a migration was changed after it ran', async () => {
    await migrate(connection());
    await onDatabase('update schema_migration set checksum = $1 where version = 1', ['0'.repeat(64)]);
    await expect(migrate(connection())).rejects.toThrow(/0001-.*was changed after it ran/);
  });

  it('refuses a database that is newer than this build', async () => {
    await migrate(connection());
    await onDatabase(`insert into schema_migration (version, name, checksum) values (9999, '9999-future.sql', 'x')`);
    await expect(migrate(connection())).rejects.toThrow(/newer than this build.*9999-future\.sql/);
  });

  it('leaves nothing of a migration that fails, and lets the next process try again', async () => {
    await onDatabase('create table account (in_the_way integer)');
    await expect(migrate(connection())).rejects.toThrow(/0001-ground-floor\.sql failed/);
    const { rows } = await onDatabase(
      `select to_regclass('tenant') as tenant, (select count(*)::int from schema_migration) as done`,
    );
    expect(rows).toEqual([{ tenant: null, done: 0 }]);
    await onDatabase('drop table account');
    expect(await migrate(connection())).toHaveLength((await readMigrations()).length);
  });

  it('numbers migrations 1, 2, 3 and says first why each is there', async () => {
    const migrations = await readMigrations();
    expect(migrations.map((migration) => migration.version)).toEqual(migrations.map((_, i) => i + 1));
    for (const { text } of migrations) expect(text).toMatch(/^-- \S/);
  });
});
