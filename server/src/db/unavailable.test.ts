// Errors that pass by waiting get a 503 with Retry-After, on a database that really is in that state.

import pg from 'pg';
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { adminToken, type TenantClient, useApp } from '../../test/app.js';
import { stallable } from '../../test/stallable.js';
import { type App, buildApp } from '../app.js';
import { type Connection, whyUnavailable } from './connect.js';
import { openDatabase } from './database.js';
import { sql } from './sql.js';

const t = useApp();
const opened: { close(): Promise<void> }[] = [];
afterAll(async () => {
  for (const one of opened) await one.close();
});

/** The same app on its own new connections. */
function another(connection: Connection): App {
  const db = openDatabase(connection);
  const app = buildApp({ db, adminToken, baseUrl: () => 'http://rapport.test', log: pino({ level: 'silent' }) });
  opened.push(app, { close: () => db.close({ atOnce: true }) });
  return app;
}

async function ask(app: App, tenant: TenantClient, method: 'GET' | 'POST', url: string, payload?: object) {
  const headers = { authorization: `Bearer ${tenant.token}` };
  const reply = await app.http.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  return { status: reply.statusCode, retryAfter: reply.headers['retry-after'], error: reply.json().errors[0] };
}

const notReady = (reason: string) => ({
  status: 503,
  retryAfter: expect.stringMatching(/^[1-9]\d*$/),
  error: { errorCode: 'NOT_READY', message: expect.stringContaining(reason) },
});

async function onDatabase(text: (name: string) => string): Promise<void> {
  const name = await t.db.row(sql<{ name: string }>`select current_database() as name`);
  const client = new pg.Client(t.connection);
  await client.connect();
  await client.query('set default_transaction_read_only = off');
  await client.query(text(name?.name ?? '')).finally(() => client.end());
}

describe('a read-only database', () => {
  it('can be read, and writes get a 503', async () => {
    const tenant = await t.tenant();
    await onDatabase((name) => `alter database ${name} set default_transaction_read_only = on`);
    const app = another(t.connection);
    const reason = 'the database takes no writes now; try again';
    expect(await ask(app, tenant, 'GET', '/v2/lists')).toMatchObject({ status: 200 });
    expect(await ask(app, tenant, 'GET', '/v2/lists?search=x')).toMatchObject({ status: 200 });
    expect(await ask(app, tenant, 'POST', '/v2/lists', { name: 'x' })).toEqual(notReady(reason));
    expect(await ask(app, tenant, 'POST', '/v2/contacts', { email: 'a@b.example', properties: {} })).toEqual(
      notReady(reason),
    );
    await onDatabase((name) => `alter database ${name} reset default_transaction_read_only`);
    expect(await ask(another(t.connection), tenant, 'POST', '/v2/lists', { name: 'x' })).toMatchObject({ status: 200 });
  });
});

describe('a database without a connection to spare', () => {
  const role = `rapport_crowded_${process.pid}`;
  afterAll(() => onDatabase(() => `drop owned by ${role}; drop role if exists ${role}`));

  it('causes a 503 for everything, and serves again when there is one', async () => {
    const tenant = await t.tenant();
    await onDatabase(
      () => `create role ${role} login password 'crowded' connection limit 0; grant pg_read_all_data to ${role}`,
    );
    const { host, port, database = '' } = new pg.Client(t.connection);
    const app = another({ host, port, database, user: role, password: 'crowded' });
    const reason = 'the database has no room for this now; try again';
    expect(await ask(app, tenant, 'GET', '/v2/lists')).toEqual(notReady(reason));
    expect(await ask(app, tenant, 'GET', '/v2/lists?search=x')).toEqual(notReady(reason));
    expect(await ask(app, tenant, 'POST', '/v2/lists', { name: 'y' })).toEqual(notReady(reason));
    await onDatabase(() => `alter role ${role} connection limit -1`);
    expect(await ask(app, tenant, 'GET', '/v2/lists')).toMatchObject({ status: 200 });
    expect(await ask(app, tenant, 'GET', '/v2/lists?search=x')).toMatchObject({ status: 200 });
  });
});

describe('a database that hangs', () => {
  it('is reported by /readyz before other requests notice', async () => {
    const tenant = await t.tenant();
    const relay = await stallable(t.connection);
    opened.push(relay);
    const app = another(relay.connection);
    // Every connection is open: opening one has a shorter timeout.
    const asks = Array.from({ length: 8 }, () => ask(app, tenant, 'GET', '/v2/lists'));
    expect((await Promise.all(asks)).map(({ status }) => status)).toEqual(Array(8).fill(200));
    relay.stall();
    const told: string[] = [];
    const read = ask(app, tenant, 'GET', '/v2/lists').finally(() => told.push('read'));
    const ready = app.http.inject('/readyz').finally(() => told.push('ready'));
    expect((await ready).statusCode).toBe(503);
    expect((await read).status).toBe(503);
    expect(told).toEqual(['ready', 'read']);
  });
});

describe('an error', () => {
  const withCode = (code: string) => Object.assign(new Error('any'), { code });

  it.each([
    '08006',
    '53100',
    '53200',
    '53300',
    '57P01',
    '57P03',
    '57014',
    '25006',
    '40001',
    '40P01',
    '55P03',
    '26000',
    '42P05',
    '25P02',
  ])('of SQLSTATE %s passes by waiting', (code) =>
    expect(whyUnavailable(withCode(code))?.retryAfter).toBeGreaterThan(0),
  );

  it.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ENETUNREACH',
  ])('of a socket, %s, passes by waiting', (code) =>
    expect(whyUnavailable(withCode(code))?.retryAfter).toBeGreaterThan(0),
  );

  it.each(['23505', '22001', '42P01', '42501', 'XX000', '28P01'])('of SQLSTATE %s does not', (code) =>
    expect(whyUnavailable(withCode(code))).toBeUndefined(),
  );
});
