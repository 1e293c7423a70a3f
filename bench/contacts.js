// Contact writes and reads against bare limits on the same database, in one run.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { clientConfig } from '../server/dist/db/connect.js';
import { newContactId } from '../server/dist/lib/ids.js';
import { connectionOf } from '../server/test/process/postgres-processes.js';
import { makeDataDir, startService } from '../server/test/process/service.js';
import { callJson, makeTenant } from '../server/test/process/tenant.js';
import { freePort } from './free-port.js';
import { compare, load, read, seconds, untilDone } from './measure.js';
import { median } from './processes.js';

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);

/** @param {(line: string) => void} say */
export async function bench(say) {
  const dataDir = await makeDataDir();
  const env = { PORT: String(await freePort()), DEMO: 'off' };
  const folder = process.env.BENCH_PROFILE;
  const nodeArgs = folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : [];
  const service = await startService({ dataDir, env, discardOutput: true, nodeArgs });
  const tenant = await makeTenant(service);
  const connection = await connectionOf(dataDir);
  const client = new pg.Client(clientConfig(connection));
  await client.connect();
  const size = Number(process.env.BENCH_CONTACTS ?? 10_000);
  await seed(client, tenant.tenantId, size);
  say(`${size.toLocaleString('en')} contacts in the table; ${rounds} rounds in turn, medians`);
  const bench = { say, service, tenant, client, connection };
  const bare = await startBare(bench);
  // Reads first: the background work that the writes leave behind would slow only one of the two.
  for (const [name, part] of Object.entries({ reads, batches, singles }))
    if (!process.env.BENCH_PART || process.env.BENCH_PART === name) await part(bench, bare.url);
  bare.stop();
  await client.end();
  await service.stop();
}

/**
 * @typedef {{ say: (line: string) => void, service: { url: string }, tenant: { tenantId: number, token: string },
 *   client: pg.Client, connection: object }} Bench
 */

/** @param {Bench} bench */
async function batches({ say, service, tenant, client }) {
  /** @type {number[]} */ const ours = [];
  /** @type {number[]} */ const limit = [];
  for (let round = 0; round < rounds; round++) {
    limit.push(await bareUpserts(client, tenant.tenantId, 60));
    const start = performance.now();
    const { answered } = await load(service.url, '/v1/contacts/batch', tenant.token, {
      body: 'batch',
      connections: 16,
    });
    await untilDone(client, tenant.tenantId);
    ours.push((answered * 1000) / ((performance.now() - start) / 1000));
  }
  compare(
    say,
    'contacts/s in batches of 1,000, 16 connections, acknowledged and DONE',
    ours,
    limit,
    'one connection upserting the same rows',
    0.45,
  );
}

/**
 * @param {Bench} bench
 * @param {string} bareUrl
 */
async function singles({ say, service, tenant, client }, bareUrl) {
  /** @type {number[]} */ const ours = [];
  /** @type {number[]} */ const limit = [];
  for (let round = 0; round < rounds; round++) {
    limit.push((await load(bareUrl, '/insert', undefined, { body: 'single', connections: 64 })).perSecond);
    ours.push((await load(service.url, '/v1/contacts', tenant.token, { body: 'single', connections: 64 })).perSecond);
    await untilDone(client, tenant.tenantId);
  }
  compare(
    say,
    'single POST /contacts a second, 64 connections',
    ours,
    limit,
    'a bare Fastify route with one INSERT',
    1,
  );
  const half = median(ours) / 2;
  await load(service.url, '/v1/contacts', tenant.token, { body: 'single', connections: 64, perSecond: half });
  await untilDone(client, tenant.tenantId);
  const { rows } = await client.query(
    `select percentile_cont(array[0.5, 0.99]) within group (order by extract(epoch from finished_at - created_at) * 1000) as p
     from write_transaction where tenant_id = $1 and kind = 'contact.create' and created_at > now() - make_interval(secs => $2)`,
    [tenant.tenantId, seconds],
  );
  const [p50, p99] = rows[0].p.map((/** @type {number} */ ms) => Math.round(ms));
  say(`PENDING to DONE at ${Math.round(half)} a second: p50 ${p50} ms, p99 ${p99} ms (goal: under 50 and 250)`);
}

/**
 * @param {Bench} bench
 * @param {string} bareUrl
 */
async function reads({ say, service, tenant }, bareUrl) {
  /** @type {number[]} */ const ours = [];
  /** @type {number[]} */ const limit = [];
  const { body } = await callJson(`${service.url}/v2/contacts?pageSize=1`, { token: tenant.token });
  for (let round = 0; round < rounds; round++) {
    limit.push(await read(`${bareUrl}/contact`, undefined));
    ours.push(await read(`${service.url}/v1/contacts/${body.data[0].id}`, tenant.token));
  }
  compare(
    say,
    'GET /contacts/{id} a second, 32 connections',
    ours,
    limit,
    'a bare Fastify route with the same SELECT',
    1,
  );
}

const upsert = `
  insert into contact (tenant_id, contact_id, email, properties, search_text, created_at, updated_at)
  select $1, id, email, properties::jsonb, email, now(), now() from unnest($2::uuid[], $3::text[], $4::text[]) as u (id, email, properties)
  on conflict (tenant_id, email) do update set properties = contact.properties || excluded.properties, updated_at = now()`;

let upserted = 0;
/**
 * The bare limit: one connection, the same kind of rows, nothing acknowledged, nothing polled.
 * @param {pg.Client} client
 * @param {number} tenantId
 * @param {number} count
 */
async function bareUpserts(client, tenantId, count) {
  const start = performance.now();
  for (let i = 0; i < count; i++) {
    const rows = Array.from({ length: 1000 }, () => upserted++);
    const properties = rows.map((n) =>
      JSON.stringify({
        first_name: `Ada ${n}`,
        plan: 'pro',
        seats: n % 100,
        company_name: 'Analytical Engines',
        active: true,
      }),
    );
    await client.query({
      name: 'upsert',
      text: upsert,
      values: [tenantId, rows.map(newContactId), rows.map((n) => `bare${n}@example.com`), properties],
    });
  }
  return (count * 1000) / ((performance.now() - start) / 1000);
}

/**
 * @param {pg.Client} client
 * @param {number} tenantId
 * @param {number} count
 */
async function seed(client, tenantId, count) {
  for (let from = 0; from < count; from += 50_000) {
    await client.query(
      `insert into contact (tenant_id, contact_id, email, properties, search_text, created_at, updated_at)
       select $1, (lpad(to_hex(1700000000000 + n), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid, 'seed' || n || '@example.com',
         jsonb_build_object('first_name', 'Seed ' || n, 'plan', 'free', 'seats', n % 50), 'seed' || n || '@example.com', now(), now()
       from generate_series($2::int, $3::int) n`,
      [tenantId, from, Math.min(count, from + 50_000) - 1],
    );
  }
  await client.query(`insert into counter_delta (tenant_id, counter, delta) values ($1, 'contacts', $2)`, [
    tenantId,
    count,
  ]);
  await client.query('vacuum analyze contact');
}

/** @param {Bench} bench */
async function startBare({ connection, tenant, client }) {
  const child = fork(fileURLToPath(new URL('bare-contacts.js', import.meta.url)));
  const { rows } = await client.query(
    'select contact_id as id from contact where tenant_id = $1 order by 1 desc limit 1',
    [tenant.tenantId],
  );
  child.send({ connection, tenantId: tenant.tenantId, contactId: rows[0].id });
  const [{ url }] = await once(child, 'message');
  return { url, stop: () => child.disconnect() };
}
