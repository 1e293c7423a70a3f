// Behind a PgBouncer that loses named statements the service does not start; and if one is put in front of the database later, no
// acknowledged write fails because of it. Skipped if pgbouncer is not installed.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findServer, withDatabase } from '../database-server.js';
import { type Bouncer, type BouncerOptions, pgBouncer, startPgBouncer } from '../pgbouncer.js';
import { cleanUp, makeDataDir, runService, startService } from './service.js';
import { callJson, makeTenant } from './tenant.js';

describe.runIf(pgBouncer)('behind PgBouncer', () => {
  let postgres: Awaited<ReturnType<typeof findServer>>;
  let direct = '';
  let bouncer: Bouncer | undefined;
  const name = `rapport_bouncer_${process.pid}`;

  async function bounce(options: BouncerOptions): Promise<Bouncer> {
    await bouncer?.stop();
    bouncer = await startPgBouncer({ connectionString: direct }, { port: bouncer?.port, ...options });
    return bouncer;
  }

  async function onServer(text: string): Promise<void> {
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    await client.query(text).finally(() => client.end());
  }

  beforeAll(async () => {
    postgres = await findServer();
    await onServer(`create database ${name}`);
    direct = withDatabase(postgres.url, name);
  });
  afterAll(async () => {
    await cleanUp();
    await bouncer?.stop();
    await onServer(`drop database ${name} with (force)`);
    await postgres.stop();
  });

  it('in transaction mode without named statements it does not start, and says what to do', async () => {
    const { url } = await bounce({ mode: 'transaction' });
    const env = { DATABASE_URL: url, DATABASE_DIRECT_URL: direct };
    const run = runService({ dataDir: await makeDataDir(), env });
    expect(await run.exited).toEqual({ code: 1, signal: null });
    expect(run.stderr()).toMatch(/^Rapport did not start .*loses named statements.*max_prepared_statements = 200\.\n$/);
  });

  it('no acknowledged write fails when such a pooler comes to stand there while the service runs', async () => {
    const { url } = await bounce({ mode: 'session', poolSize: 50 });
    const env = { DATABASE_URL: url, DATABASE_DIRECT_URL: direct, DEMO: 'off' };
    const service = await startService({ dataDir: await makeDataDir(), env });
    const { token } = await makeTenant(service);
    await bounce({ mode: 'transaction' });
    const isMixedUp = () => /26000|42P05/.test(service.stdout());
    const acknowledged: string[] = [];
    for (let i = 0; acknowledged.length < 40 || !isMixedUp(); i++) {
      const contacts = Array.from({ length: 20 }, (_, n) => ({ email: `c${i}-${n}@example.com`, properties: { i } }));
      const path = `${service.url}/v2/contacts/batch`;
      const { status, body } = await callJson(path, { token, method: 'POST', body: { contacts } });
      if (status === 200) acknowledged.push(body.data.transactionId);
      else expect(status).toBe(503);
    }
    // Long enough for unknown errors to be given up.
    await sleep(10_000);
    await bounce({ mode: 'session', poolSize: 50 });
    for (const id of acknowledged) {
      for (;;) {
        const { status, body } = await callJson(`${service.url}/v2/contacts/transactions/${id}`, { token });
        if (status === 200 && body.data.status === 'DONE') {
          const failed = body.data.data.results.filter((result: { status: string }) => result.status === 'FAILED');
          expect(failed).toEqual([]);
          break;
        }
        await sleep(50);
      }
    }
    expect(await service.stop()).toBe(0);
  });
});
