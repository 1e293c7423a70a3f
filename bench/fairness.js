// One tenant whose every write raises an unexpected error, one with a million waiting writes, and a third that sends a write now and
// then: how long those take until they are DONE, alone and beside the others. And beside the same work in a separate service with
// its own database: the difference to that is the machine's cost of running two things at once, which no queue can avoid.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { clientConfig } from '../server/dist/db/connect.js';
import { connectionOf } from '../server/test/process/postgres-processes.js';
import { makeDataDir, startService } from '../server/test/process/service.js';
import { callJson, makeTenant } from '../server/test/process/tenant.js';
import { freePort } from './free-port.js';

const backlog = Number(process.env.BENCH_BACKLOG ?? 1_000_000);
const broken = 200;
const writes = 400;

/** @param {(line: string) => void} say */
export async function bench(say) {
  const here = await start();
  const third = await makeTenant(here.service);
  await measure(here.service, third, 'warm', 50);
  const alone = await measure(here.service, third, 'alone', writes);
  say(`a single write until DONE, alone: p50 ${alone.p50} ms, p99 ${alone.p99} ms`);

  const elsewhere = await start();
  await load(elsewhere);
  const apart = await measure(here.service, third, 'apart', writes);
  say(
    `beside a second service that does what follows: p50 ${apart.p50} ms, p99 ${apart.p99} ms; ${ratios(apart, alone)}`,
  );
  await stop(elsewhere);

  const { failing, busy } = await load(here);
  const beside = await measure(here.service, third, 'beside', writes);
  const left = await waiting(here.client, busy);
  say(
    `beside ${broken} writes that fail and ${backlog.toLocaleString('en')} that wait (${left.toLocaleString('en')} still do): ` +
      `p50 ${beside.p50} ms, p99 ${beside.p99} ms; ${ratios(beside, alone)} (goal: at most 2.00); to the second service: ${ratios(beside, apart)}`,
  );
  while ((await waiting(here.client, failing)) > 0) await sleep(200);
  const { rows } = await here.client.query(
    `select count(*)::int as n, min(error) as error from write_failure where tenant_id = $1`,
    [failing],
  );
  say(`of the ${broken} writes that fail ${rows[0].n} ended FAILED: "${rows[0].error}"`);
  await stop(here);
}

async function start() {
  const dataDir = await makeDataDir();
  const env = { PORT: String(await freePort()), DEMO: 'off', LOG_LEVEL: 'fatal' };
  const service = await startService({ dataDir, env, discardOutput: true });
  const client = new pg.Client(clientConfig(await connectionOf(dataDir)));
  await client.connect();
  return { service, client };
}

/** @typedef {Awaited<ReturnType<typeof start>>} Running */

/** @param {Running} running */
async function stop({ service, client }) {
  await client.end();
  await service.stop();
}

/**
 * A tenant whose every write fails, and one with a backlog.
 * @param {Running} running
 */
async function load({ service, client }) {
  const failing = Number((await makeTenant(service)).tenantId);
  const busy = Number((await makeTenant(service)).tenantId);
  // What a bug would do: an error that our code does not know.
  await client.query(`
    create function fail() returns trigger language plpgsql as $$ begin raise exception 'oops' using errcode = 'ZZ999'; end $$;
    create trigger fail before insert on contact for each row when (new.tenant_id = ${failing}) execute function fail()`);
  await queue(client, failing, broken);
  await queue(client, busy, backlog);
  // A million rows in one statement leave PostgreSQL work that a million requests would spread out.
  await client.query('vacuum analyze write_transaction');
  await client.query('checkpoint');
  return { failing, busy };
}

/**
 * @param {{ p50: number, p99: number }} a
 * @param {{ p50: number, p99: number }} b
 */
function ratios(a, b) {
  return `ratio of p50 ${(a.p50 / b.p50).toFixed(2)}, of p99 ${(a.p99 / b.p99).toFixed(2)}`;
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
