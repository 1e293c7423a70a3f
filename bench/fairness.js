// One tenant whose every write raises an unexpected error, one with a million waiting writes, and a third that sends a write now and
// then: how long those take until they are DONE, alone and beside the others.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { clientConfig } from '../server/dist/db/connect.js';
import { connectionOf } from '../server/test/process/postgres-processes.js';
import { makeDataDir, startService } from '../server/test/process/service.js';
import { callJson, makeTenant } from '../server/test/process/tenant.js';
import { freePort } from './free-port.js';

const backlog = Number(process.env.BENCH_BACKLOG ?? 1_000_000);
const broken = 200;
const writes = 200;

/** @param {(line: string) => void} say */
export async function bench(say) {
  const dataDir = await makeDataDir();
  const env = { PORT: String(await freePort()), DEMO: 'off', LOG_LEVEL: 'fatal' };
  const service = await startService({ dataDir, env, discardOutput: true });
  const [failing, busy, third] = [await makeTenant(service), await makeTenant(service), await makeTenant(service)];
  const client = new pg.Client(clientConfig(await connectionOf(dataDir)));
  await client.connect();
  // What a bug would do: an error that no code of ours knows.
  await client.query(`
    create function fail() returns trigger language plpgsql as $$ begin raise exception 'oops' using errcode = 'ZZ999'; end $$;
    create trigger fail before insert on contact for each row when (new.tenant_id = ${failing.tenantId}) execute function fail()`);
  await measure(service, third, 'warm', 50);
  const alone = await measure(service, third, 'alone', writes);
  say(`a single write until DONE, alone: p50 ${alone.p50} ms, p99 ${alone.p99} ms`);
  await queue(client, failing.tenantId, broken);
  await queue(client, busy.tenantId, backlog);
  await sleep(500);
  const beside = await measure(service, third, 'beside', writes);
  const left = await waiting(client, busy.tenantId);
  say(
    `beside ${broken} writes that fail and ${backlog.toLocaleString('en')} that wait (${left.toLocaleString('en')} still do): ` +
      `p50 ${beside.p50} ms, p99 ${beside.p99} ms; ratio of p50 ${(beside.p50 / alone.p50).toFixed(2)}, ` +
      `of p99 ${(beside.p99 / alone.p99).toFixed(2)} (goal: at most 2.00)`,
  );
  while ((await waiting(client, failing.tenantId)) > 0) await sleep(200);
  const { rows } = await client.query(
    `select count(*)::int as n, min(error) as error from write_failure where tenant_id = $1`,
    [failing.tenantId],
  );
  say(`of the ${broken} writes that fail ${rows[0].n} ended FAILED: "${rows[0].error}"`);
  await client.end();
  await service.stop();
}

/**
 * @param {{ url: string }} service
 * @param {{ token: string }} tenant
 * @param {string} name
 * @param {number} count
 */
async function measure({ url }, { token }, name, count) {
  /** @type {number[]} */
  const times = [];
  for (let i = 0; i < count; i++) {
    const start = performance.now();
    const body = { email: `${name}${i}@example.com`, properties: { plan: 'pro' } };
    const { body: answer } = await callJson(`${url}/v1/contacts`, { token, method: 'POST', body });
    const poll = `${url}/v1/contacts/transactions/${answer.data.transactionId}`;
    while ((await callJson(poll, { token })).body.data.status !== 'DONE') await sleep(1);
    times.push(performance.now() - start);
    await sleep(20);
  }
  times.sort((a, b) => a - b);
  const at = (/** @type {number} */ share) =>
    Math.round(10 * (times[Math.floor((times.length - 1) * share)] ?? 0)) / 10;
  return { p50: at(0.5), p99: at(0.99) };
}

/**
 * Acknowledged writes, as the service would have stored them.
 * @param {pg.Client} client
 * @param {number} tenantId
 * @param {number} count
 */
async function queue(client, tenantId, count) {
  await client.query(
    `insert into write_transaction (tenant_id, transaction_id, kind, items, payload)
     select $1, gen_random_uuid(), 'contact.create', 1, '{"email":"w' || n || '@example.com","properties":{"plan":"pro"}}'
     from generate_series(1, $2::int) n`,
    [tenantId, count],
  );
}

/**
 * @param {pg.Client} client
 * @param {number} tenantId
 */
async function waiting(client, tenantId) {
  const { rows } = await client.query(
    `select count(*)::int as n from write_transaction where tenant_id = $1 and status = 'PENDING' and not is_long`,
    [tenantId],
  );
  return rows[0].n;
}
