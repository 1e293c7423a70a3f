import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { withDatabase } from '../../test/database-server.js';
import { readMigrations } from './migrate.js';
import { applyOnline, isOnline, statementsOf } from './online-migration.js';

let name = '';
let client: pg.Client;
let other: pg.Client;

beforeEach(async () => {
  name = `rapport_online_${process.pid}_${randomBytes(4).toString('hex')}`;
  await onServer(`create database ${name} template template0`);
  [client, other] = await Promise.all([connected(), connected()]);
  await client.query('create table thing (no integer, name text)');
});
afterEach(async () => {
  await Promise.all([client.end(), other.end()]);
  await onServer(`drop database ${name} with (force)`);
});

async function onServer(statement: string): Promise<void> {
  const server = new pg.Client({ connectionString: inject('serverUrl') });
  await server.connect();
  await server.query(statement).finally(() => server.end());
}

async function connected(): Promise<pg.Client> {
  const made = new pg.Client({ connectionString: withDatabase(inject('serverUrl'), name) });
  await made.connect();
  return made;
}

async function isValid(index: string): Promise<boolean | undefined> {
  const { rows } = await client.query('select indisvalid from pg_index where indexrelid = to_regclass($1)', [index]);
  return rows[0]?.indisvalid;
}

const building = `-- Online: things are found by number.
create index concurrently if not exists thing_by_no on thing (no);
drop index concurrently if exists thing_by_name;
`;

describe('an online migration', () => {
  it('says each statement before it runs, and can be repeated', async () => {
    await client.query('create index thing_by_name on thing (name)');
    const said: string[] = [];
    for (let i = 0; i < 2; i++) await applyOnline(client, building, (doing) => said.push(doing));
    expect(said.slice(0, 2)).toEqual([
      'create index concurrently if not exists thing_by_no on thing (no)',
      'drop index concurrently if exists thing_by_name',
    ]);
    expect([await isValid('thing_by_no'), await isValid('thing_by_name')]).toEqual([true, undefined]);
  });

  it('builds an index anew that was cut off', async () => {
    await client.query('insert into thing values (1), (1)');
    await expect(client.query('create unique index concurrently thing_by_no on thing (no)')).rejects.toThrow();
    expect(await isValid('thing_by_no')).toBe(false);
    await applyOnline(client, building, () => undefined);
    expect(await isValid('thing_by_no')).toBe(true);
  });

  it('keeps no writer waiting while it waits for one', async () => {
    await other.query('begin');
    await other.query('insert into thing values (1)');
    const applied = applyOnline(client, building, () => undefined);
    const waiting = `select from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`;
    while ((await other.query(waiting, [name])).rows.length === 0) await other.query('select pg_sleep(0.01)');
    const third = await connected();
    await third.query('insert into thing values (2)');
    await third.end();
    await other.query('commit');
    await applied;
    expect(await isValid('thing_by_no')).toBe(true);
  });

  it('has only statements that can be repeated', async () => {
    const online = (await readMigrations()).filter(({ text }) => isOnline(text));
    expect(online.length).toBeGreaterThan(0);
    for (const statement of online.flatMap(({ text }) => statementsOf(text)))
      expect(statement).toMatch(
        /^(create (unique )?index concurrently if not exists|drop index concurrently if exists) \w+/,
      );
  });
});
