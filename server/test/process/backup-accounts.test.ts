// A backup restores people and the apps they allowed. Sessions from before it do not work.
import { execFile } from 'node:child_process';
import { hash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hashPassword, isPassword } from '../../src/features/accounts/passwords.js';
import { findServer, withDatabase } from '../database-server.js';
import { cleanUp, makeDataDir, projectDir, type Service, startService } from './service.js';
import { callJson, makeTenant } from './tenant.js';

let postgres: Awaited<ReturnType<typeof findServer>>;
let admin: pg.Client;
const databases: string[] = [];
const password = 'correct horse battery staple';
const tokens = { personal: '', app: `rpt_app_${'a'.repeat(43)}`, session: `rpt_web_${'b'.repeat(43)}` };
let url: string;

beforeAll(async () => {
  postgres = await findServer();
  admin = new pg.Client({ connectionString: postgres.url });
  await admin.connect();
  const old = await emptyDatabase();
  const dataDir = await makeDataDir();
  const service = await startService({ dataDir, env: { DATABASE_URL: old, DEMO: 'off' } });
  ({ token: tokens.personal } = await makeTenant(service));
  await fill(old);
  expect(await statuses(service)).toEqual({ personal: 200, app: 200, session: 200 });
  await fetch(`${service.url}/exports/stats/overview`, { headers: { authorization: `Bearer ${tokens.personal}` } });
  const file = join(dataDir, 'accounts.backup');
  expect((await rapport(['backup', file], { DATABASE_URL: old })).code).toBe(0);
  expect(await service.stop()).toBe(0);
  url = await emptyDatabase();
  expect(await rapport(['restore', file], { DATABASE_URL: url })).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await cleanUp();
  for (const name of databases) await admin.query(`drop database ${name} with (force)`);
  await admin.end();
  await postgres.stop();
});

async function emptyDatabase(): Promise<string> {
  const name = `rapport_accounts_${randomUUID().replaceAll('-', '')}`;
  await admin.query(`create database ${name}`);
  databases.push(name);
  return withDatabase(postgres.url, name);
}

async function query<Row extends pg.QueryResultRow>(
  connectionString: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client
    .query<Row>(text, values)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

/** `npm run rapport -- …`, without npm. */
function rapport(args: string[], env: Record<string, string>): Promise<{ code: number; output: string }> {
  const { PATH, HOME } = process.env;
  return new Promise((resolve) => {
    const options = { cwd: projectDir, env: { PATH, HOME, ...env } };
    execFile(process.execPath, ['scripts/rapport.js', ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

/** A signed-in person, an app that they connected, and every link that was still open. */
async function fill(old: string): Promise<void> {
  const by = (text: string, ...values: unknown[]) => query(old, text, values);
  const soon = `now() + interval '1 hour'`;
  const some = hash('sha256', 'something', 'buffer');
  await by(
    `insert into person (email, email_folded, name, password_hash) values ('Ada@example.com', 'ada@example.com', 'Ada', $1)`,
    await hashPassword(password),
  );
  await by(`insert into account (tenant_id, name, role, person_id) select 1, 'Ada', 'admin', person_id from person`);
  await by(`insert into session (session_hash, person_id, expires_at) select $1, person_id, ${soon} from person`, some);
  await by(
    `insert into one_time_link (link_hash, kind, person_id, expires_at) select $1, 'reset', person_id, ${soon} from person`,
    some,
  );
  await by(`insert into sso_attempt values ($1, 1, 1, '\\x00', ${soon})`, some);
  await by(`insert into guess (guess_key, tries) values ($1, 3)`, some);
  for (const kind of ['app', 'session'] as const)
    await by(
      `insert into access_token (token_hash, tenant_id, account_id, name, scopes, kind, expires_at)
       select $1, 1, min(account_id), $2::text, array['READ'], $2, ${soon} from account`,
      hash('sha256', tokens[kind], 'buffer'),
      kind,
    );
  for (const kind of ['Client', 'Grant', 'RefreshToken', 'AuthorizationCode', 'Session'])
    await by(`insert into oauth_record (kind, id_hash, payload) values ($1, $2, '{}')`, kind, some);
}

async function statuses(service: Service): Promise<Record<string, number>> {
  const asked = Object.entries(tokens).map(async ([kind, token]) => {
    const answer = await callJson(`${service.url}/v2/lists`, { token });
    return [kind, answer.status] as const;
  });
  return Object.fromEntries(await Promise.all(asked));
}

it('after a restore a personal token works, and no token of an app or a browser does', async () => {
  const service = await startService({ dataDir: await makeDataDir(), env: { DATABASE_URL: url, DEMO: 'off' } });
  expect(await statuses(service)).toEqual({ personal: 200, app: 401, session: 401 });
  expect(await service.stop()).toBe(0);
});

it('people and what they allowed are there, without what was on its way', async () => {
  const [person] = await query<{ email: string; stored: string }>(
    url,
    'select email, password_hash as stored from person',
  );
  expect(person?.email).toBe('Ada@example.com');
  expect(await isPassword(person?.stored, password)).toBe(true);
  expect(await query(url, 'select name, role from account where person_id is not null')).toEqual([
    { name: 'Ada', role: 'admin' },
  ]);
  expect(await query(url, 'select kind from oauth_record order by 1')).toEqual([{ kind: 'Client' }, { kind: 'Grant' }]);
  for (const table of ['session', 'one_time_link', 'sso_attempt', 'guess'])
    expect(await query(url, `select * from ${table}`), table).toEqual([]);
});

it('the audit log is whole after a restore, and the command says where it is not once somebody changed it', async () => {
  const whole = await rapport(['audit', 'verify'], { DATABASE_URL: url });
  expect(whole).toEqual({
    code: 0,
    output: expect.stringMatching(/^Tenant 1: \d+ entr.*, whole\nWalked: .*is whole\.\n$/),
  });
  const [, last] = /the last hash is (\w+)/.exec(whole.output) ?? [];
  const expected = ['audit', 'verify', '--tenant', '1', '--expect', last as string];
  expect((await rapport(expected, { DATABASE_URL: url })).code).toBe(0);
  await expect(query(url, 'delete from audit_entry')).rejects.toThrow('append-only');
  await query(
    url,
    `alter table audit_entry disable trigger all; update audit_entry set subject = 'another';
     alter table audit_entry enable trigger all`,
  );
  const changed = await rapport(['audit', 'verify'], { DATABASE_URL: url });
  expect(changed).toEqual({ code: 1, output: expect.stringContaining('Entry 1 (') });
  expect(changed.output).toContain('does not fit its hash');
});
