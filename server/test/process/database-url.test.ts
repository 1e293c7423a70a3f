import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readMigrations } from '../../src/db/migrate.js';
import { findServer, withDatabase } from '../database-server.js';
import { cleanUp, makeDataDir, type Service, startService } from './service.js';
import { callJson, makeTenant } from './tenant.js';

let postgres: Awaited<ReturnType<typeof findServer>>;
let admin: pg.Client;
const databases: string[] = [];

beforeAll(async () => {
  postgres = await findServer();
  admin = new pg.Client({ connectionString: postgres.url });
  await admin.connect();
});
afterAll(async () => {
  await cleanUp();
  for (const name of databases) await admin.query(`drop database ${name} with (force)`);
  await admin.end();
  await postgres.stop();
});

async function emptyDatabase(): Promise<string> {
  const name = `rapport_process_${randomUUID().replaceAll('-', '')}`;
  await admin.query(`create database ${name}`);
  databases.push(name);
  return withDatabase(postgres.url, name);
}

async function rowsOf<Row extends pg.QueryResultRow>(connectionString: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<Row>(text);
  await client.end();
  return rows;
}

it('brings up four services that start together on one empty database, each migration once', async () => {
  const dataDir = await makeDataDir();
  const url = await emptyDatabase();
  const starts = Array.from({ length: 4 }, () => startService({ dataDir, env: { DATABASE_URL: url } }));
  const services = await Promise.all(starts);

  const names = (await readMigrations()).map(({ name }) => name);
  const recorded = await rowsOf<{ name: string }>(url, 'select name from schema_migration order by version');
  expect(recorded.map(({ name }) => name)).toEqual(names);
  const [first, ...others] = services as [Service, ...Service[]];
  const tenant = await makeTenant(first);
  for (const { url: other } of others) {
    // One admin token under the shared DATA_DIR, one database: what one creates, all serve.
    expect((await callJson(`${other}/v2/lists`, { token: tenant.token })).status).toBe(200);
  }
  for (const service of services) expect(await service.stop()).toBe(0);

  const outputs = services.map((service) => service.stdout() + service.stderr());
  expect(outputs.filter((output) => output.includes('"msg":"migrated"'))).toHaveLength(1);
  const password = new URL(postgres.url.replace('@/', '@localhost/')).password;
  for (const output of outputs) {
    expect(output).toContain('PostgreSQL at DATABASE_URL');
    // With DATABASE_URL there is no demo tenant unless DEMO says so.
    expect(output).not.toMatch(/rpt_pat_|rpt_adm_/);
    if (password) expect(output).not.toContain(password);
  }
});

it('keeps what was written from one start to the next', async () => {
  const dataDir = await makeDataDir();
  const env = { DATABASE_URL: await emptyDatabase() };
  const first = await startService({ dataDir, env });
  const { token } = await makeTenant(first);
  await callJson(`${first.url}/v2/lists`, { token, method: 'POST', body: { name: 'Kept' } });
  expect(await first.stop()).toBe(0);
  const second = await startService({ dataDir, env });
  const { body } = await callJson(`${second.url}/v2/lists`, { token });
  expect(body.data.map((list: { name: string }) => list.name)).toEqual(['Kept']);
  expect(second.stdout()).not.toContain('"msg":"migrated"');
  expect(await second.stop()).toBe(0);
});
