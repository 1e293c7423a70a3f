// A database that had events before the newest were kept and names were counted: both look as if they had always been kept.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { withDatabase } from '../../../../test/database-server.js';
import { type Database, openDatabase } from '../../../db/database.js';
import { migrate } from '../../../db/migrate.js';
import { listNames } from '../names/queries.js';
import { selectRecent } from './queries.js';

// The schema version before these.
const before = 15;
const name = `rapport_recent_${process.pid}_${randomBytes(4).toString('hex')}`;
const connection = { connectionString: withDatabase(inject('serverUrl'), name) };
let db: Database;

async function run(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

const ada = '00000000-0000-7000-8000-000000000001';
const events = `
  insert into tenant (name) values ('One');
  insert into contact (tenant_id, contact_id, email, properties, search_text, created_at, updated_at)
  values (1, '${ada}', 'ada@x.io', '{}', 'ada@x.io', now(), now());
  insert into event_name (tenant_id, name) values (1, 'login'), (1, 'gone');
  insert into event (tenant_id, contact_id, event_date, event_no, event_name)
  select 1, '${ada}', now() - interval '40 days' + n * interval '1 hour', 4096 * n, 'login' from generate_series(1, 300) n`;

beforeAll(async () => {
  await run(inject('serverUrl'), `create database ${name} template template0`);
  await migrate(connection, { upTo: before });
  await run(connection.connectionString, events);
  await migrate(connection);
  db = openDatabase(connection);
});

afterAll(async () => {
  await db.close();
  await run(inject('serverUrl'), `drop database if exists ${name} with (force)`);
});

it('counts the events that are there, and keeps a name that has none', async () => {
  const { rows, total } = await listNames(db, 1, undefined, { limit: 10, offset: 0 });
  expect(total).toBe(2);
  expect(rows).toMatchObject([
    { eventName: 'gone', total: 0, firstSeenAt: null, lastSeenAt: null, days: [] },
    { eventName: 'login', total: 300, firstSeenAt: expect.any(String), lastSeenAt: expect.any(String) },
  ]);
  const counted = rows[1]?.days.reduce((sum, { count }) => sum + count, 0) ?? 0;
  expect(counted).toBeGreaterThan(0);
  expect(counted).toBeLessThan(300);
});

it('knows the newest of them, and not when they came', async () => {
  const rows = await selectRecent(db, 1, { eventName: undefined, after: -1, limit: 200 }, 0);
  expect(rows.map(({ no }) => no)).toEqual(Array.from({ length: 200 }, (_, i) => 4096 * (300 - i)));
  expect(rows[0]).toMatchObject({ eventName: 'login', receivedAt: null, email: 'ada@x.io' });
});
