// A service on a permanent folder, with a tenant and everything that is created through the API: emails, lists, journeys. What was created is
// recorded in the database itself, so that a later run finds it.
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { clientConfig } from '../../server/dist/db/connect.js';
import { withRunner } from '../../server/dist/db/open-data.js';
import { foldTallies } from '../../server/dist/db/tallies.js';
import { foldEventDeltas } from '../../server/dist/features/events/names/queries.js';
import { passageTallies } from '../../server/dist/features/journeys/index.js';
import { figureTallies } from '../../server/dist/features/messages/index.js';
import { connectionOf } from '../../server/test/process/postgres-processes.js';
import { startService } from '../../server/test/process/service.js';
import { callJson, makeTenant, readAdminToken } from '../../server/test/process/tenant.js';
import { freePort } from '../free-port.js';
import { filtersOf } from './filters.js';
import { linkOf } from './mail-rows.js';
import { seed } from './seed.js';
import { contactIdOf, dayMs, emailCount, journeyCount, sizesOf } from './sizes.js';

/**
 * What rows are made from.
 * @typedef {object} Ground
 * @property {number} tenantId
 * @property {string} token
 * @property {number} base When seeding began: all dates are relative to it.
 * @property {import('./sizes.js').Sizes} sizes
 * @property {string[]} listIds
 * @property {string[]} emailIds
 * @property {string[]} journeyIds
 * @property {number[]} journeyNos
 * @property {number[]} linkNos
 * @property {string[]} contentHashes
 * @property {(address: string) => string} hashOf
 */
/** @typedef {Awaited<ReturnType<typeof openPlace>>} Place */

/**
 * Opens an existing place, and seeds what is missing.
 * @param {string} dataDir
 * @param {number} scale
 * @param {(line: string) => void} say
 */
export async function openPlace(dataDir, scale, say) {
  // The database's user must be able to enter.
  await mkdir(dataDir, { recursive: true, mode: 0o755 });
  const env = { PORT: String(await freePort()), DEMO: 'off' };
  const service = await startService({ dataDir, env, discardOutput: true });
  try {
    const connection = await connectionOf(dataDir);
    const client = new pg.Client(clientConfig(connection));
    client.on('error', () => undefined);
    await client.connect();
    await client.query('create schema if not exists bench');
    await client.query('create table if not exists bench.progress (step text primary key, reached bigint not null)');
    await client.query('create table if not exists bench.fact (name text primary key, value json not null)');
    const remember = rememberIn(client);
    const sizes = sizesOf(scale);
    const known = await remember('scale', async () => scale);
    if (known !== scale) throw new Error(`${dataDir} was seeded at scale ${known}: name another folder.`);
    const base = await remember('base', async () => Date.now());
    const { tenantId, token } = await remember('tenant', () => makeTenant(service));
    const admin = await readAdminToken(dataDir);
    const url = service.url;
    const call = caller(url, token);
    const made = await makeThings({ client, call, remember, url, admin, tenantId });
    const ground = { tenantId, token, base, sizes, ...made, hashOf: await hasher(client, tenantId) };
    await makeMonths(client, base);
    await seed(client, ground, say);
    await remember('closed', () => closeSeeding(client, ground));
    const listOf = await makeLists(ground, call, remember);
    const place = { ...ground, service, dataDir, connection, client, admin, url, call, remember, listOf, scale };
    await untilAtRest(place, say);
    await remember('vacuumed', async () => void (await client.query('vacuum analyze')));
    return place;
  } catch (error) {
    await service.stop();
    throw error;
  }
}

/** @param {pg.Client} client */
function rememberIn(client) {
  return async (/** @type {string} */ name, /** @type {() => Promise<any>} */ make) => {
    const { rows } = await client.query('select value from bench.fact where name = $1', [name]);
    if (rows.length > 0) return rows[0].value;
    const value = await make();
    await client.query('insert into bench.fact values ($1, $2)', [name, JSON.stringify(value ?? null)]);
    return value;
  };
}

/**
 * @param {string} url
 * @param {string} token
 */
function caller(url, token) {
  return async (
    /** @type {string} */ path,
    /** @type {unknown} */ body = undefined,
    method = body ? 'POST' : 'GET',
  ) => {
    const reply = await callJson(url + path, { token, method, body });
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body.data;
  };
}

/** @param {any} needs */
async function makeThings({ client, call, remember, url, admin, tenantId }) {
  await remember('domain', async () => {
    const body = { domain: 'example.com' };
    await callJson(`${url}/admin/tenants/${tenantId}/sending-domains`, { token: admin, method: 'POST', body });
  });
  // Variables in emails and filters must be properties of some contact.
  await remember('properties', () =>
    client.query(`insert into property_key (tenant_id, key) select $1, unnest($2::text[]) on conflict do nothing`, [
      tenantId,
      ['first_name', 'plan', 'seats', 'city', 'renews', 'score'],
    ]),
  );
  /** @type {string[]} */ const listIds = [];
  for (const share of ['tenth', 'hundredth', 'thousandth'])
    listIds.push(await remember(`list ${share}`, async () => (await call('/v2/lists', { name: share })).staticListId));
  /** @type {string[]} */ const emailIds = [];
  for (let i = 0; i < emailCount; i++)
    emailIds.push(await remember(`email ${i}`, async () => (await call('/v1/emails', emailOf(i))).emailId));
  /** @type {string[]} */ const journeyIds = [];
  for (let i = 0; i < journeyCount; i++)
    journeyIds.push(await remember(`journey ${i}`, () => makeJourney(call, i, emailIds[i] ?? '')));
  const { rows } = await client.query(
    `select journey_no as no from unnest($2::text[]) with ordinality as w (id, place)
     join journey j on j.tenant_id = $1 and j.journey_id = decode(w.id, 'hex') order by place`,
    [tenantId, journeyIds],
  );
  const contentHashes = emailIds.map((id) => createHash('sha256').update(id).digest('hex'));
  /** @type {number[]} */ const linkNos = [];
  for (const [i, emailId] of emailIds.entries())
    linkNos.push(await remember(`link ${i}`, () => makeLink(client, tenantId, emailId, i, contentHashes[i] ?? '')));
  const journeyNos = rows.map((/** @type {{ no: number }} */ row) => row.no);
  return { listIds, emailIds, journeyIds, journeyNos, linkNos, contentHashes };
}

/** @param {number} i */
function emailOf(i) {
  return {
    ...{
      name: `Email ${i}`,
      subject: 'Hello, {{first_name}}',
      fromEmail: { email: 'hello@example.com', name: 'Bench' },
    },
    html: `<p>Hello {{first_name}}, <a href="${linkOf(i)}">look</a>.</p><a href="{{unsubscribe_url}}">Unsubscribe</a>`,
  };
}

/**
 * No contact enters while the bench runs. Most wait for an event, in one journey for a filter, in one only for a time.
 * @param {(path: string, body?: unknown) => Promise<any>} call
 * @param {number} i
 * @param {string} emailId
 */
async function makeJourney(call, i, emailId) {
  const wait = { id: 'wait', type: 'waitUntil', timeout: 'P300D', onTimeout: null };
  const event = { event: { eventName: `comes_back_${i}` }, next: null };
  const filter = { filter: { property: 'score', is: 'nobody' }, next: null };
  const steps = [
    { id: 'mail', type: 'sendEmail', emailId },
    i === 8 ? { id: 'wait', type: 'delay', for: 'P300D' } : { ...wait, branches: [i === 9 ? filter : event] },
  ];
  const definition = { entry: { event: { eventName: `enters_${i}` } }, steps, reentry: 'always' };
  const { journeyId } = await call('/v2/journeys', { name: `Journey ${i}`, type: 'trigger', definition });
  await call(`/v2/journeys/${journeyId}/activate`, {});
  return journeyId;
}

/**
 * The link that people clicked, and what was sent.
 * @param {pg.Client} client
 * @param {number} tenantId
 * @param {string} emailId
 * @param {number} i
 * @param {string} hash
 */
async function makeLink(client, tenantId, emailId, i, hash) {
  await client.query(
    `insert into message_content (tenant_id, content_hash, is_template, subject, html) values ($1, decode($2, 'hex'), true, $3, $4)
     on conflict do nothing`,
    [tenantId, hash, emailOf(i).subject, emailOf(i).html],
  );
  const { rows } = await client.query(
    `insert into message_link (tenant_id, email_id, url, url_hash) values ($1, decode($2, 'hex'), $3, sha256(convert_to($3, 'UTF8')))
     on conflict (tenant_id, email_id, url_hash) do update set url = excluded.url returning link_no`,
    [tenantId, emailId, linkOf(i)],
  );
  return rows[0].link_no;
}

/**
 * @param {pg.Client} client
 * @param {number} tenantId
 */
async function hasher(client, tenantId) {
  await client.query(
    `insert into tenant_salt values ($1, decode(replace(gen_random_uuid()::text, '-', ''), 'hex')) on conflict do nothing`,
    [tenantId],
  );
  const { rows } = await client.query('select salt from tenant_salt where tenant_id = $1', [tenantId]);
  const salt = Buffer.from(rows[0].salt, 'hex');
  return (/** @type {string} */ address) => createHash('sha256').update(salt).update(address).digest('hex');
}

/**
 * @param {pg.Client} client
 * @param {number} base
 */
async function makeMonths(client, base) {
  for (const table of ['event', 'marketing_activity'])
    await client.query(
      `select make_month($1, m) from generate_series(month_of($2::timestamptz), month_of($3::timestamptz)) m`,
      [table, new Date(base - 370 * dayMs).toISOString(), new Date(base).toISOString()],
    );
}

/**
 * Sequences continue after the given numbers, and the newest events are recorded.
 * @param {pg.Client} client
 * @param {Ground} ground
 */
async function closeSeeding(client, { tenantId, sizes, base }) {
  await client.query(`select setval('marketing_activity_no', $1)`, [sizes.messages * 4 + 10]);
  await client.query(
    `insert into event_arrival (tenant_id, event_name, arrival_no, received_at, kept, event_nos, contact_ids, event_dates)
     select $1, event_name, nextval('event_arrival_no'), now(), count(*), array_agg(event_no order by event_no),
       array_agg(contact_id order by event_no), array_agg(event_date order by event_no)
     from (select *, row_number() over (partition by event_name order by event_no desc) as place from event
       where tenant_id = $1 and contact_id = any($2::uuid[])) e
     where place <= 200 group by event_name`,
    [
      tenantId,
      Array.from({ length: Math.min(1000, sizes.contacts) }, (_, n) => contactIdOf(sizes.contacts - 1 - n, base)),
    ],
  );
}

/**
 * Their ids by name.
 * @param {Ground} ground
 * @param {(path: string, body?: unknown) => Promise<any>} call
 * @param {(name: string, make: () => Promise<any>) => Promise<any>} remember
 * @returns {Promise<Record<string, string>>}
 */
async function makeLists({ listIds, journeyIds, emailIds }, call, remember) {
  /** @type {Record<string, string>} */
  const made = {};
  const filters = filtersOf({ staticListId: listIds[0], journeyId: journeyIds[0], emailId: emailIds[0] });
  for (const [name, filter] of Object.entries(filters)) {
    const body = { name, filter: typeof filter === 'function' ? filter(made) : filter };
    made[name] = await remember(`dynamic ${name}`, async () => (await call('/v2/dynamic-lists', body)).dynamicListId);
  }
  return made;
}

/**
 * Waits until figures are folded, contacts are in the search index, and lists have their members.
 * @param {{ client: pg.Client, tenantId: number, connection: any }} place
 * @param {(line: string) => void} [say]
 */
export async function untilAtRest({ client, tenantId, connection }, say = () => undefined) {
  const start = performance.now();
  await withRunner(connection, async (db) => {
    for (const tallies of [figureTallies, passageTallies]) while ((await foldTallies(db, tallies, 10_000)) > 0);
    while ((await foldEventDeltas(db, 10_000)) > 0);
  });
  const left = `
    select (select count(*) from dynamic_list where tenant_id = $1 and not is_built and deleted_at is null)::int as lists,
      exists (select from audience_change where tenant_id = $1) or exists (select from audience_org_change where tenant_id = $1) as changes,
      exists (select from write_transaction where tenant_id = $1 and status = 'PENDING') as writes,
      exists (select from journey_news where tenant_id = $1) as news, exists (select from event_delta) as deltas,
      (select c.contact_id from contact c where c.tenant_id = $1 and c.created_at < now() - interval '2 minutes' and c.contact_id > coalesce(
        (select settled_to from contact_search_progress where tenant_id = $1), '00000000-0000-0000-0000-000000000000')
        order by c.contact_id limit 1) is not null as search`;
  for (;;) {
    const { rows } = await client.query(left, [tenantId]);
    const { lists, ...rest } = rows[0];
    if (lists === 0 && Object.values(rest).every((value) => value === false)) break;
    await sleep(100);
  }
  const took = (performance.now() - start) / 1000;
  if (took > 5) say(`lists, search and figures were ready after ${took.toFixed(0)} s`);
}
