import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findServer, withDatabase } from '../database-server.js';
import { cleanUp, makeDataDir, runService, startService } from './service.js';

let dataDir: string;
let postgres: Awaited<ReturnType<typeof findServer>>;

beforeAll(async () => {
  dataDir = await makeDataDir();
  postgres = await findServer();
});
afterAll(async () => {
  await cleanUp();
  await postgres.stop();
});

/** The message of a start that must fail, as one sentence without a stack. */
async function complaintOf(env: Record<string, string>): Promise<string> {
  const run = runService({ dataDir, env });
  expect(await run.exited).toEqual({ code: 1, signal: null });
  expect(run.stdout()).not.toContain('Rapport is ready');
  // Nothing that was started continues and reports an error of its own.
  expect(run.stdout()).not.toMatch(/"level":[456]0/);
  expect(run.stderr()).not.toMatch(/^ {4}at /m);
  return run.stderr();
}

describe('a wrong value stops the start with a sentence that names the variable', () => {
  it.concurrent.each([
    ['HOST', 'http://127.0.0.1'],
    ['HOST', 'two words'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80a'],
    ['BASE_URL', 'rapport.example'],
    ['BASE_URL', 'ftp://rapport.example'],
    ['DATABASE_URL', 'localhost'],
    ['DATABASE_URL', 'mysql://user:hush-hush@localhost/rapport'],
    ['REDIS_URL', 'localhost:6379'],
    ['SMTP_URL', 'mail.example'],
    ['SMTP_URL', 'http://user:hush-hush@mail.example'],
    ['ROLE', 'API'],
    ['LOG_LEVEL', 'loud'],
    ['DEMO', 'maybe'],
    ['LOG_FORMAT', 'pretty'],
    ['EVENT_RETENTION_DAYS', '0'],
    ['EVENT_RETENTION_DAYS', 'a year'],
    ['EVENT_RETENTION_DAYS', '36501'],
    ['OUTBOX_RETENTION_DAYS', '0'],
    ['VERSION_TEXT_RETENTION_DAYS', '0'],
    ['ACTIVITY_RETENTION_DAYS', 'never'],
    ['INGEST_LOG_RETENTION_DAYS', '3651'],
    ['ROLLUP_LIMIT', '0'],
    ['ROLLUP_LIMIT', 'all'],
    ['ADMIN_TOKEN', 'two words'],
    ['SECRET_KEY', 'hush-hush'],
    ['SECRET_KEY', 'hush-hush, with a comma'],
    ['SECRET_KEY_OLD', 'long enough to be a key,hush-hush'],
    ['DNS_SERVERS', 'dns.example'],
    ['DNS_SERVERS', '127.0.0.1:0'],
    ['DNS_SERVERS', '127.0.0.1,[::1]:65536'],
    ['MAIL_HOST', 'https://mail.example'],
    ['SPF_INCLUDE', 'include:mail.example'],
    ['REQUIRE_VERIFIED_DOMAINS', 'sometimes'],
    ['TRUSTED_PROXIES', 'proxy.example'],
    ['OAUTH_ISSUER', 'http://id.example'],
    ['DATA_DIR', '/dev/null/data'],
  ])('%s=%s', async (name, value) => {
    const complaint = await complaintOf({ [name]: value });
    expect(complaint).toMatch(new RegExp(`\\b${name} is wrong: `));
    expect(complaint).not.toContain('hush-hush');
  });

  it('HOST that is not an address of this machine', async () => {
    // From the block reserved for documentation: no machine has it.
    expect(await complaintOf({ HOST: '203.0.113.1', DATABASE_URL: postgres.url })).toContain('Check HOST');
  });

  it('PORT that is taken', async () => {
    const squatter = createServer();
    await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve));
    const { port } = squatter.address() as { port: number };
    const complaint = await complaintOf({ PORT: String(port), DATABASE_URL: postgres.url });
    squatter.close();
    expect(complaint).toContain(`Port ${port} of 127.0.0.1 is taken`);
    expect(complaint).toContain('set PORT to a free port');
  });

  it('DATABASE_URL of a database that is not there, without telling its password', async () => {
    const complaint = await complaintOf({ DATABASE_URL: withDatabase(postgres.url, 'no_such_database') });
    expect(complaint).toContain('Check DATABASE_URL');
    const { password } = new URL(postgres.url.replace('@/', '@localhost/'));
    if (password) expect(complaint).not.toContain(password);
  });
});

it('counts a variable that is set but empty as unset', async () => {
  const names = [
    ...['HOST', 'BASE_URL', 'REDIS_URL', 'ADMIN_TOKEN', 'ROLE', 'LOG_LEVEL', 'DEMO', 'DATABASE_URL'],
    'EVENT_RETENTION_DAYS',
    'OUTBOX_RETENTION_DAYS',
    'VERSION_TEXT_RETENTION_DAYS',
    'ACTIVITY_RETENTION_DAYS',
    'INGEST_LOG_RETENTION_DAYS',
  ];
  const env = Object.fromEntries(names.map((name) => [name, '']));
  const service = await startService({ dataDir: await makeDataDir(), env });
  expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(service.stdout()).toMatch(/embedded PostgreSQL[\s\S]*admin-token[\s\S]*Demo {6}rpt_pat_/);
  expect(await service.stop()).toBe(0);
});
