import { randomUUID } from 'node:crypto';
import { readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate, readMigrations } from '../../src/db/migrate.js';
import { findServer, withDatabase } from '../database-server.js';
import {
  dates,
  fillWithData,
  months,
  type Picture,
  query,
  rapport,
  readPicture,
  rowsIn,
  timeless,
} from './backup-data.js';
import { postgresPids } from './postgres-processes.js';
import { cleanUp, makeDataDir, type Service, startService } from './service.js';
import { callJson, makeTenant } from './tenant.js';

let postgres: Awaited<ReturnType<typeof findServer>>;
let admin: pg.Client;
const databases: string[] = [];

let service: Service;
let token: string;
let file: string;
let before: Picture;

beforeAll(async () => {
  postgres = await findServer();
  admin = new pg.Client({ connectionString: postgres.url });
  await admin.connect();
  service = await startService({ dataDir: await makeDataDir(), env: { DEMO: 'off' } });
  ({ token } = await makeTenant(service));
  await fillWithData({ url: service.url, token });
  before = await pictureOf(service);
  file = join(service.dataDir, 'rapport.backup');
});
afterAll(async () => {
  await cleanUp();
  for (const name of databases) await admin.query(`drop database ${name} with (force)`);
  await admin.end();
  await postgres.stop();
});

async function emptyDatabase(): Promise<string> {
  const name = `rapport_backup_${randomUUID().replaceAll('-', '')}`;
  await admin.query(`create database ${name}`);
  databases.push(name);
  return withDatabase(postgres.url, name);
}

const pictureOf = ({ url }: { url: string }) => readPicture({ url, token });

it('writes a backup while the service runs, for its owner only', async () => {
  const made = await rapport(['backup', file], { DATA_DIR: service.dataDir });
  expect(made).toEqual({ code: 0, output: expect.stringMatching(/rows of \d+ tables are in .*rapport\.backup/) });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(service.isRunning()).toBe(true);
  expect(await pictureOf(service)).toEqual(before);
});

it('keeps months from being made meanwhile, without holding up those who read', async () => {
  const url = await emptyDatabase();
  await migrate({ connectionString: url });
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  // The backup stops here, in the middle of the events.
  await holder.query('begin; lock table tenant in access exclusive mode');
  const running = rapport(['backup', join(service.dataDir, 'held.backup')], { DATABASE_URL: url });
  const locks = `select from pg_locks where database = (select oid from pg_database where datname = current_database())`;
  const held = `${locks} and relation = 'event'::regclass and mode = 'AccessShareLock' and granted`;
  while ((await query(url, held)).rowCount === 0) await sleep(10);
  const making = query(url, `set lock_timeout = '2s'; select make_month('event', 24322)`);
  const outcome = making.then(
    () => 'made',
    (error: Error) => error.message,
  );
  while ((await query(url, `${locks} and not granted`)).rowCount !== 2) await sleep(10);
  const read = query(url, 'select from event').then(() => 'read');
  expect(await Promise.race([outcome, read])).toBe('read');
  expect(await outcome).toContain('lock timeout');
  await holder.query('commit');
  await holder.end();
  expect((await running).code).toBe(0);
  await query(url, `select make_month('event', 24322)`);
});

describe('restore', () => {
  it('fills an empty DATA_DIR with the same data, down to the last byte', async () => {
    const dataDir = await makeDataDir();
    const made = await rapport(['restore', file], { DATA_DIR: dataDir });
    expect(made).toEqual({ code: 0, output: expect.stringContaining('rows are restored') });
    expect(await postgresPids(dataDir)).toEqual([]);
    // And a backup of a stopped service.
    const again = join(dataDir, 'again.backup');
    expect((await rapport(['backup', again], { DATA_DIR: dataDir })).code).toBe(0);
    expect(await rowsIn(again)).toEqual(await rowsIn(file));

    const restored = await startService({ dataDir, env: { DEMO: 'off' } });
    expect(await pictureOf(restored)).toEqual(before);
    // Sequences continue where they were: a second tenant does not get the first one's number.
    const second = await makeTenant(restored);
    const lists = await callJson(`${restored.url}/v2/lists`, { token: second.token });
    expect(lists.body.data).toEqual([]);
    const created = { token, method: 'POST', body: { email: 'later@example.com' } };
    expect((await callJson(`${restored.url}/v2/contacts`, created)).status).toBe(200);
    while ((await callJson(`${restored.url}/v2/contacts/by-email/later@example.com`, { token })).status !== 200)
      await sleep(20);
    expect(await restored.stop()).toBe(0);
  });

  it('fills the database that DATABASE_URL names, and from there another', async () => {
    const url = await emptyDatabase();
    expect((await rapport(['restore', file], { DATABASE_URL: url })).code).toBe(0);
    // The planner has statistics before the first request.
    const { rows } = await query(url, `select relname, reltuples from pg_class where relname in ('contact', 'event')`);
    expect(Object.fromEntries(rows.map((row) => [row.relname, row.reltuples]))).toEqual({
      ...{ contact: 1501, event: dates.length },
    });
    const dataDir = await makeDataDir();
    const restored = await startService({ dataDir, env: { DATABASE_URL: url } });
    expect(await pictureOf(restored)).toEqual(before);
    const again = join(dataDir, 'again.backup');
    expect((await rapport(['backup', again], { DATABASE_URL: url })).code).toBe(0);
    expect(await restored.stop()).toBe(0);
    // The restored service may have updated the search index meanwhile, which happens a minute after a contact.
    const isIndex = (row: string) => row.startsWith('{') && /"(grams|settled_to)":/.test(row);
    const withoutUse = (rows: string[]) =>
      rows.filter((row) => !isIndex(row)).map((row) => row.replace(/"last_used_at":("[^"]*"|null)/, ''));
    expect(withoutUse(await rowsIn(again))).toEqual(withoutUse(await rowsIn(file)));
  });

  it('puts events into their months at once, and only those without a month elsewhere', async () => {
    const url = await emptyDatabase();
    expect((await rapport(['restore', file], { DATABASE_URL: url })).code).toBe(0);
    const stored = await query(
      url,
      `select tableoid::regclass::text as place, count(*)::integer as events from event group by 1 order by 1`,
    );
    const places = months.map((month) => ({ place: `event_${month.replace('-', '_')}`, events: 2 }));
    expect(stored.rows).toEqual([...places, { place: 'event_elsewhen', events: timeless.length }]);
    expect((await query(url, 'select month from event_floor')).rows).toEqual([{ month: 0 }]);
  });

  it('keeps what came of mail, and goes on with the numbers where they were', async () => {
    const old = await emptyDatabase();
    await migrate({ connectionString: old });
    await query(
      old,
      `insert into tenant (name) values ('Mail');
       insert into marketing_activity (tenant_id, contact_id, event_date, event_name)
       select 1, gen_random_uuid(), date '2026-01-15' + make_interval(months => i), 'sent' from generate_series(0, 2) as i;
       insert into marketing_activity_count
       select tenant_id, contact_id, month_of(event_date), 1 from marketing_activity;
       update event_floor set month = 24300;
       select setval('write_transaction_seq', 4711)`,
    );
    const backup = join(service.dataDir, 'mail.backup');
    expect((await rapport(['backup', backup], { DATABASE_URL: old })).code).toBe(0);
    // A service ran here before, and left only what every new database has.
    const url = await emptyDatabase();
    await migrate({ connectionString: url });
    expect((await rapport(['restore', backup], { DATABASE_URL: url })).code).toBe(0);
    for (const table of ['marketing_activity', 'marketing_activity_count', 'event_floor']) {
      const everything = `select * from ${table} t order by t`;
      expect((await query(url, everything)).rows).toEqual((await query(old, everything)).rows);
    }
    expect((await query(url, 'select from marketing_activity_elsewhen')).rowCount).toBe(0);
    const next = `select nextval('marketing_activity_no')::integer as mail, nextval('write_transaction_seq')::integer as write`;
    expect((await query(url, next)).rows).toEqual([{ mail: 4, write: 4712 }]);
  });

  it.each([
    ['0001', 1, '0002-'],
    ['0003, before events,', 3, '0004-'],
    ['0012, before people,', 12, '0013-'],
  ])('brings a backup of migration %s up to this build', async (_, version, next) => {
    const old = await emptyDatabase();
    await migrate({ connectionString: old }, { upTo: version });
    await query(old, `insert into tenant (name) values ('From the old days')`);
    const backup = join(service.dataDir, 'old.backup');
    expect((await rapport(['backup', backup], { DATABASE_URL: old })).code).toBe(0);

    const url = await emptyDatabase();
    const made = await rapport(['restore', backup], { DATABASE_URL: url });
    expect(made).toEqual({ code: 0, output: expect.stringContaining(`Brought up to this build: ${next}`) });
    expect((await query(url, 'select name from tenant')).rows).toEqual([{ name: 'From the old days' }]);
    const wanted = (await readMigrations()).map(({ name }) => ({ name }));
    expect((await query(url, 'select name from schema_migration order by version')).rows).toEqual(wanted);
    // This build's tables may hold rows that the old ones did not, so it is impossible to tell what belongs where.
    const ahead = await emptyDatabase();
    await migrate({ connectionString: ahead });
    const refused = await rapport(['restore', backup], { DATABASE_URL: ahead });
    expect(refused).toEqual({
      code: 1,
      output: expect.stringContaining(`The database is ahead of the backup: ${next}`),
    });
  });

  it('refuses a database that has rows, and changes nothing', async () => {
    const url = await emptyDatabase();
    expect((await rapport(['restore', file], { DATABASE_URL: url })).code).toBe(0);
    const second = await rapport(['restore', file], { DATABASE_URL: url });
    expect(second).toEqual({ code: 1, output: expect.stringContaining('The database is not empty') });
    expect(second.output).not.toContain('    at ');
  });

  it('refuses a DATA_DIR whose service is running', async () => {
    const made = await rapport(['restore', file], { DATA_DIR: service.dataDir });
    expect(made).toEqual({ code: 1, output: expect.stringContaining('Another Rapport service is running') });
  });

  it('leaves no trace of a file that breaks off, is another kind of file, or comes from a newer build', async () => {
    const dataDir = await makeDataDir();
    const cut = join(dataDir, 'cut.backup');
    await writeFile(cut, await readFile(file));
    await truncate(cut, Math.floor((await stat(file)).size / 2));
    const lines = gunzipSync(await readFile(file)).toString('utf8');
    const withoutEnd = join(dataDir, 'without-end.backup');
    await writeFile(withoutEnd, gzipSync(lines.slice(0, lines.lastIndexOf('\n["end"') + 1)));
    const withoutRow = join(dataDir, 'without-row.backup');
    await writeFile(withoutRow, gzipSync(lines.replace(/\n\{.*person7@.*/, '')));
    const newer = join(dataDir, 'newer.backup');
    const future = '"migrations":[{"version":9999,"name":"9999-future.sql","checksum":"x"},';
    const changed = lines.replace('"migrations":[', future).replace(/,"sha256":"[0-9a-f]+"/, '');
    await writeFile(newer, gzipSync(changed));
    const other = join(dataDir, 'other.txt');
    await writeFile(other, 'something else\n');

    const url = await emptyDatabase();
    for (const [path, complaint] of [
      [cut, 'is not whole: it breaks off'],
      [withoutEnd, 'is not whole: it has no end'],
      [withoutRow, 'is not whole: its lines are not those that were written'],
      [newer, 'A newer build made this backup: it has migration 9999-future.sql'],
      [other, 'is not a backup of Rapport'],
      [join(dataDir, 'nothing'), 'There is no file'],
    ] as const) {
      const made = await rapport(['restore', path], { DATABASE_URL: url });
      expect(made).toEqual({ code: 1, output: expect.stringContaining(complaint) });
      expect(made.output).not.toContain('    at ');
    }
    expect((await query(url, `select from pg_tables where schemaname = 'public'`)).rowCount).toBe(0);
  });
});

it('says what is missing when there is nothing to back up', async () => {
  const dataDir = await makeDataDir();
  const made = await rapport(['backup', join(dataDir, 'x')], { DATA_DIR: dataDir });
  expect(made).toEqual({ code: 1, output: expect.stringContaining('There is no database in') });
  const empty = await rapport(['backup', join(dataDir, 'x')], { DATABASE_URL: await emptyDatabase() });
  expect(empty).toEqual({ code: 1, output: expect.stringContaining('there is nothing to back up') });
  await expect(stat(join(dataDir, 'x'))).rejects.toThrow('ENOENT');
});

it('says in one sentence what is wrong with the place that it was given', async () => {
  const dataDir = await makeDataDir();
  const plain = join(dataDir, 'plain');
  await writeFile(plain, '');
  const refused = 'postgres://ada:secret@127.0.0.1:1/crm';
  const backup = (to: string, env: Record<string, string>) => rapport(['backup', to], env);
  const restore = (from: string, env: Record<string, string>) => rapport(['restore', from], env);
  for (const [made, told] of [
    [await backup(join(plain, 'x'), { DATA_DIR: service.dataDir }), `There is no folder ${plain}. Make it`],
    [await backup(dataDir, { DATA_DIR: service.dataDir }), `${dataDir} is a folder. Name a file in it.`],
    [await backup('x', { DATABASE_URL: refused }), 'No database answers at 127.0.0.1:1. Check DATABASE_URL'],
    [await restore(file, { DATABASE_URL: refused }), 'No database answers at 127.0.0.1:1. Check DATABASE_URL'],
    [await restore(file, { DATA_DIR: plain }), `DATA_DIR is wrong: ${plain} is no folder`],
    [await restore(join(plain, 'x'), { DATA_DIR: dataDir }), `There is no file ${join(plain, 'x')}.`],
  ] as const) {
    expect(made).toEqual({ code: 1, output: expect.stringContaining(told) });
    expect(made.output).not.toMatch(/ {4}at |ECONN|ENO|secret/);
  }
});

it('says that the user may not read the tables', async () => {
  const url = await emptyDatabase();
  await migrate({ connectionString: url });
  const name = `stranger_${randomUUID().replaceAll('-', '')}`;
  await admin.query(`create role ${name} login password 'x'`);
  const stranger = new URL(url.replace('@/', '@localhost/'));
  Object.assign(stranger, { username: name, password: 'x' });
  const made = await rapport(['backup', 'x'], { DATABASE_URL: stranger.href.replace('@localhost/', '@/') });
  await admin.query(`drop role ${name}`);
  expect(made).toEqual({ code: 1, output: expect.stringContaining('The user in DATABASE_URL lacks a right') });
});

it.each(['backup', 'restore'])('explains %s when asked, or called wrongly', async (name) => {
  expect(await rapport([name, '--help'], {})).toEqual({
    code: 0,
    output: expect.stringContaining(`Usage: npm run rapport -- ${name} <file>`),
  });
  expect((await rapport([name], {})).code).toBe(1);
});
