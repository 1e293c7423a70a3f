// Events stored by way of the API against a bare COPY of the same rows into the same partitioned table, in one run.
import pg from 'pg';
import { clientConfig } from '../server/dist/db/connect.js';
import { CopyIn } from '../server/dist/db/copy.js';
import { connectionOf } from '../server/test/process/postgres-processes.js';
import { makeDataDir, startService } from '../server/test/process/service.js';
import { makeTenant } from '../server/test/process/tenant.js';
import { freePort } from './free-port.js';
import { compare, load, untilDone } from './measure.js';

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const users = Number(process.env.BENCH_USERS ?? 10_000);

/** @param {(line: string) => void} say */
export async function bench(say) {
  const dataDir = await makeDataDir();
  const folder = process.env.BENCH_PROFILE;
  const service = await startService({
    dataDir,
    env: { PORT: String(await freePort()), DEMO: 'off' },
    discardOutput: true,
    nodeArgs: folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : [],
  });
  const tenant = await makeTenant(service);
  const client = new pg.Client(clientConfig(await connectionOf(dataDir)));
  await client.connect();
  await seedUsers(client, tenant.tenantId);
  // The start of this month: every event of the load falls into a partition that is there.
  const since = Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth(), 1);
  /** @type {number[]} */ const ours = [];
  /** @type {number[]} */ const limit = [];
  for (let round = 0; round < rounds; round++) {
    limit.push(await bareCopy(client, tenant.tenantId, since, 300_000));
    const before = await countEvents(client, tenant.tenantId);
    const start = performance.now();
    await load(service.url, '/v2/events', tenant.token, { body: 'events', connections: 8, users, since });
    await untilDone(client, tenant.tenantId);
    const elapsed = (performance.now() - start) / 1000;
    ours.push(((await countEvents(client, tenant.tenantId)) - before) / elapsed);
    say(`round ${round + 1}: ${Math.round(ours.at(-1) ?? 0)} events/s; bare ${Math.round(limit.at(-1) ?? 0)}`);
  }
  const what = `events/s, 500 a request with ids, ${users} users, 8 connections, acknowledged and stored`;
  compare(say, what, ours, limit, 'one connection, COPY of the same rows, 10,000 at a time', 0.3);
  await client.end();
  await service.stop();
}

/**
 * @param {pg.Client} client
 * @param {number} tenantId
 */
async function countEvents(client, tenantId) {
  const { rows } = await client.query(
    'select coalesce(sum(events), 0)::int8 as n from event_count where tenant_id = $1',
    [tenantId],
  );
  return Number(rows[0].n);
}

/**
 * @param {pg.Client} client
 * @param {number} tenantId
 */
async function seedUsers(client, tenantId) {
  await client.query(
    `insert into contact (tenant_id, contact_id, email, properties, search_text, created_at, updated_at)
     select $1, lpad(to_hex(n), 32, '0')::uuid, 'u' || n || '@example.com', '{}', 'u' || n || '@example.com', now(), now()
     from generate_series(0, $2::int - 1) n`,
    [tenantId, users],
  );
  await client.query(
    `insert into product_user (tenant_id, user_id, contact_id, created_at, updated_at)
     select $1, 'u' || n, lpad(to_hex(n), 32, '0')::uuid, now(), now() from generate_series(0, $2::int - 1) n`,
    [tenantId, users],
  );
  await client.query('vacuum analyze contact, product_user');
}

let copied = 0;
/**
 * @param {pg.Client} client
 * @param {number} tenantId
 * @param {number} since
 * @param {number} count
 */
async function bareCopy(client, tenantId, since, count) {
  const text =
    'copy event (tenant_id, contact_id, event_date, event_no, event_name, user_id, org_id, properties) from stdin';
  let elapsed = 0;
  for (let i = 0; i < count; i += 10_000) {
    const rows = Array.from({ length: 10_000 }, () => bareRow(tenantId, since, copied++)).join('');
    const start = performance.now();
    await client.query(new CopyIn(text, rows)).done;
    elapsed += performance.now() - start;
  }
  return count / (elapsed / 1000);
}

/**
 * The same as in write-load.js. Numbers below zero are in nobody's way.
 * @param {number} tenantId
 * @param {number} since
 * @param {number} n
 */
function bareRow(tenantId, since, n) {
  const user = (n * 7919) % users;
  const properties = `{"format":"csv","rows":${n % 1000},"source":"dashboard","ok":true}`;
  const contactId = user.toString(16).padStart(32, '0');
  return `${tenantId}\t${contactId}\t${new Date(since + n * 10).toISOString()}\t${-1 - n}\treport_exported\tu${user}\t\\N\t${properties}\n`;
}
