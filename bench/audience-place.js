// A service with many contacts and events, and helpers for the parts of the audiences bench.
import { setTimeout as sleep } from 'node:timers/promises';
import { callJson } from '../server/test/process/tenant.js';

export const contacts = Number(process.env.BENCH_CONTACTS ?? 1_000_000);
export const eventsEach = Number(process.env.BENCH_EVENTS_EACH ?? 10);

/** @typedef {{ url: string, token: string, tenantId: number, client: import('pg').Client }} Place */

/**
 * @param {Place} place
 * @param {string} path
 * @param {unknown} [body]
 * @param {string} [method]
 */
export async function call({ url, token }, path, body, method = body ? 'POST' : 'GET') {
  const reply = await callJson(url + path, { token, method, body });
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply.body.data;
}

/**
 * Changes existing contacts, 1,000 per batch, 4 at a time. Returns contacts per second until DONE, and until all lists are up to date.
 * @param {Place} place
 * @param {string} name
 * @param {number} batches
 */
export async function writeBatches(place, name, batches) {
  const start = performance.now();
  let next = 0;
  const lane = async () => {
    while (next < batches) {
      const batch = next++;
      const items = Array.from({ length: 1000 }, (_, i) => ({
        email: `c${(batch * 1000 + i) % contacts}@example.com`,
        properties: { score: (batch + i + name.length * 7 + Number(name.at(-1) ?? 0)) % 40, note: `${name}${batch}` },
      }));
      await call(place, '/v2/contacts/batch', { contacts: items });
    }
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
  while ((await pending(place)) > 0) await sleep(5);
  const done = (batches * 1000) / ((performance.now() - start) / 1000);
  await quiet(place);
  return { done, seen: (batches * 1000) / ((performance.now() - start) / 1000) };
}

/**
 * How long an acknowledgement takes, one after the other.
 * @param {Place} place
 * @param {number} forMs
 */
export async function latencies(place, forMs) {
  /** @type {number[]} */
  const times = [];
  const until = performance.now() + forMs;
  for (let n = 0; performance.now() < until; n++) {
    await timed(times, () =>
      call(place, '/v2/contacts/batch', { contacts: [{ email: `c${n}@example.com`, properties: { n } }] }),
    );
    await sleep(10);
  }
  times.sort((a, b) => a - b);
  return { p50: times[times.length >> 1] ?? 0, p99: times[Math.floor(times.length * 0.99)] ?? 0 };
}

/** @param {Place} place */
export async function deleteLists(place) {
  const { rows } = await place.client.query(
    `select encode(list_id, 'hex') as id from dynamic_list where tenant_id = $1 and deleted_at is null`,
    [place.tenantId],
  );
  for (const { id } of rows) await call(place, `/v2/dynamic-lists/${id}`, undefined, 'DELETE');
}

/** @param {Place} place */
export async function pending({ client, tenantId }) {
  const { rows } = await client.query(
    `select count(*)::int as n from write_transaction where tenant_id = $1 and status = 'PENDING'`,
    [tenantId],
  );
  return rows[0].n;
}

/**
 * Waits until no list has anything to evaluate.
 * @param {Place} place
 */
export async function quiet({ client, tenantId }) {
  for (;;) {
    const { rows } = await client.query(
      `select exists (select from audience_change where tenant_id = $1)
         or exists (select from dynamic_list where tenant_id = $1 and not is_built and deleted_at is null) as busy`,
      [tenantId],
    );
    if (!rows[0].busy) return;
    await sleep(5);
  }
}

/**
 * Contacts, a user and an organization for every tenth, and events over 90 days.
 * @param {import('pg').Client} client
 * @param {number} tenantId
 */
export async function seed(client, tenantId) {
  const run = (/** @type {string} */ text) => client.query(text, [tenantId, contacts]);
  await run(`
    insert into contact (tenant_id, contact_id, email, properties, created_at, updated_at, search_text)
    select $1, (lpad(to_hex(n), 12, '0') || '0000700080' || lpad(to_hex(n), 10, '0'))::uuid, 'c' || n || '@example.com',
      jsonb_build_object('plan', (array['free', 'pro', 'team', 'trial'])[1 + n % 4], 'seats', n % 40, 'city', 'City ' || n % 1000),
      now(), now(), 'c' || n || '@example.com'
    from generate_series(0, $2::int - 1) n`);
  await client.query(`insert into counter_delta (tenant_id, counter, delta) values ($1, 'contacts', $2)`, [
    tenantId,
    contacts,
  ]);
  await client.query(`insert into contact_search_progress values ($1, 'ffffffff-ffff-ffff-ffff-ffffffffffff')`, [
    tenantId,
  ]);
  await run(
    `insert into organization (tenant_id, org_id, name) select $1, 'o' || n, 'Org ' || n from generate_series(0, $2::int / 100) n`,
  );
  await run(`
    insert into product_user (tenant_id, user_id, contact_id, created_at, updated_at)
    select $1, 'u' || row_number() over (order by contact_id), contact_id, now(), now()
    from contact where tenant_id = $1 and (properties ->> 'seats')::int % 10 < 2 and $2::int > 0`);
  await run(`
    insert into org_membership (tenant_id, org_id, user_id, created_at)
    select $1, 'o' || substr(user_id, 2)::int % ($2::int / 100 + 1), user_id, now() from product_user where tenant_id = $1`);
  await run(`
    insert into event (tenant_id, contact_id, event_date, event_no, event_name, properties)
    select $1, c.contact_id, date_trunc('milliseconds', now() - interval '90 days' * ((k * 7919::bigint + hashtext(c.email)) % 10000 + 10000) / 20000), k,
      (array['login', 'login', 'export', 'invite', 'view'])[1 + (k + abs(hashtext(c.email)::bigint)) % 5], jsonb_build_object('n', k)
    from contact c cross join generate_series(1, ${eventsEach}) k where c.tenant_id = $1 and $2::int > 0 order by 2, 3`);
  await client.query('vacuum analyze contact, event, product_user, org_membership, organization');
  await client.query('checkpoint');
}

/**
 * @template T
 * @param {number[]} times
 * @param {() => Promise<T>} work
 */
export async function timed(times, work) {
  const start = performance.now();
  const result = await work();
  times.push(performance.now() - start);
  return result;
}

export const median = (/** @type {number[]} */ all) => [...all].sort((a, b) => a - b)[all.length >> 1] ?? 0;
export const ms = (/** @type {number} */ n) => (n >= 1000 ? `${(n / 1000).toFixed(2)} s` : `${n.toFixed(0)} ms`);
export const rate = (/** @type {number} */ n) => Math.round(n).toLocaleString('en');
