// Events stored through the API against a bare COPY of the same rows into the same partitioned table, in one run.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { clientConfig } from '../server/dist/db/connect.js';
import { copyIn } from '../server/dist/db/copy.js';
import { connectionOf, postgresPids } from '../server/test/process/postgres-processes.js';
import { makeDataDir, startService } from '../server/test/process/service.js';
import { makeTenant } from '../server/test/process/tenant.js';
import { freePort } from './free-port.js';
import { compare, load, untilDone } from './measure.js';
import { cpuSecondsOf } from './processes.js';

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const users = 10_000;
/** A session: a number of consecutive events of one user. `withIds`: each has an eventId, which must be looked up and stored. */
const workloads = [
  { name: 'sessions of 5 events', session: 5, withIds: false },
  { name: 'sessions of 5 events with ids', session: 5, withIds: true },
  { name: 'every event another user, with ids', session: 1, withIds: true },
];

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
  client.on('error', () => undefined);
  await seedUsers(client, tenant.tenantId, users);
  // The start of this month, so that every event of the load falls into an existing partition.
  const since = Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth(), 1);
  const cpu = {
    service: () => cpuSecondsOf([service.pid]),
    database: async () => cpuSecondsOf(await postgresPids(dataDir)),
  };
  say(`${rounds} rounds in turn, medians; 500 events a request, ${users.toLocaleString('en')} users, 8 connections`);
  for (const { name, session, withIds } of workloads) {
    /** @type {number[]} */ const ours = [];
    /** @type {number[]} */ const limit = [];
    /** @type {number[]} */ const withKeys = [];
    /** @type {string[]} */ let costs = [];
    for (let round = 0; round < rounds; round++) {
      const bare = await costOf(cpu, () => bareCopy(client, { tenantId: tenant.tenantId, since, session }, 200_000));
      limit.push(bare.result);
      if (withIds) withKeys.push(await bareCopy(client, { tenantId: tenant.tenantId, since, session }, 100_000, true));
      const before = await countEvents(client, tenant.tenantId);
      const stored = await costOf(cpu, async () => {
        const start = performance.now();
        await load(service.url, '/v2/events', tenant.token, {
          body: 'events',
          connections: 8,
          users,
          since,
          session,
          withIds,
        });
        await untilDone(client, tenant.tenantId);
        return (performance.now() - start) / 1000;
      });
      const events = (await countEvents(client, tenant.tenantId)) - before;
      ours.push(events / stored.result);
      const each = (/** @type {number} */ seconds, /** @type {number} */ count) => ((seconds / count) * 1e6).toFixed(0);
      costs = [each(stored.service, events), each(stored.database, events), each(bare.database, 200_000)];
    }
    compare(
      say,
      `${name}: events/s, acknowledged and stored`,
      ours,
      limit,
      'one connection, COPY of the same rows',
      0.5,
    );
    if (withIds)
      compare(say, '  the same', ours, withKeys, 'one connection, COPY of the rows and of the keys of their ids', 0.7);
    say(`  processor time an event: service ${costs[0]} µs, database ${costs[1]} µs; bare COPY ${costs[2]} µs`);
  }
  await client.end();
  await service.stop();
}

/**
 * @template T
 * @param {{ service: () => Promise<number>, database: () => Promise<number> }} cpu
 * @param {() => Promise<T>} work
 */
async function costOf(cpu, work) {
  const before = [await cpu.service(), await cpu.database()];
  const result = await work();
  const after = [await cpu.service(), await cpu.database()];
  return { result, service: (after[0] ?? 0) - (before[0] ?? 0), database: (after[1] ?? 0) - (before[1] ?? 0) };
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
 * Contacts with a product user each: `u0` and so on.
 * @param {pg.Client} client
 * @param {number} tenantId
 * @param {number} count
 */
export async function seedUsers(client, tenantId, count) {
  await client.query(
    `insert into contact (tenant_id, contact_id, email, properties, search_text, created_at, updated_at)
     select $1, lpad(to_hex(n), 32, '0')::uuid, 'u' || n || '@example.com', '{}', 'u' || n || '@example.com', now(), now()
     from generate_series(0, $2::int - 1) n`,
    [tenantId, count],
  );
  await client.query(
    `insert into product_user (tenant_id, user_id, contact_id, created_at, updated_at)
     select $1, 'u' || n, lpad(to_hex(n), 32, '0')::uuid, now(), now() from generate_series(0, $2::int - 1) n`,
    [tenantId, count],
  );
  await client.query('vacuum analyze contact, product_user');
}

let copied = 0;
/**
 * @param {pg.Client} client
 * @param {{ tenantId: number, since: number, session: number }} where
 * @param {number} count
 * @param {boolean} [withKeys] Also a key for each, in the order of the index.
 */
export async function bareCopy(client, where, count, withKeys = false) {
  const text =
    'copy event (tenant_id, contact_id, event_date, event_no, event_name, user_id, org_id, properties) from stdin';
  let elapsed = 0;
  for (let i = 0; i < count; i += 10_000) {
    const rows = Array.from({ length: 10_000 }, () => bareRow(where, copied++)).join('');
    const keys = withKeys ? Array.from({ length: 10_000 }, () => randomBytes(16).toString('hex')).sort() : [];
    const now = new Date().toISOString();
    const lines = keys.map((key) => `${where.tenantId}\t${key}\t${now}\n`).join('');
    const start = performance.now();
    await client.query('begin');
    await copyIn(client, text, rows);
    if (withKeys) await copyIn(client, 'copy event_key (tenant_id, key, seen_at) from stdin', lines);
    await client.query('commit');
    elapsed += performance.now() - start;
  }
  return count / (elapsed / 1000);
}

/**
 * The same as in write-load.js. Negative numbers collide with no others.
 * @param {{ tenantId: number, since: number, session: number }} where
 * @param {number} n
 */
function bareRow({ tenantId, since, session }, n) {
  const user = (Math.floor(n / session) * 7919) % users;
  const properties = `{"format":"csv","rows":${n % 1000},"source":"dashboard","ok":true}`;
  const contactId = user.toString(16).padStart(32, '0');
  return `${tenantId}\t${contactId}\t${new Date(since + n * 10).toISOString()}\t${-1 - n}\treport_exported\tu${user}\t\\N\t${properties}\n`;
}
