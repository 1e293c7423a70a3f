// What a place can do in a period, and how soon lists are up to date.
import { setTimeout as sleep } from 'node:timers/promises';
import { postgresPids } from '../../server/test/process/postgres-processes.js';
import { load, untilDone } from '../measure.js';
import { cpuSecondsOf } from '../processes.js';
import { mark, ping, pingSeconds } from './filters.js';
import { timesOf } from './measure.js';
import { untilAtRest } from './place.js';
import { addressOf, contactIdOf, iso, mix } from './sizes.js';

/** @typedef {import('./place.js').Place} Place */

const idleSeconds = 10;
const rounds = 20;

/**
 * Each returns how many per second, until they are stored; lists are up to date before the next begins.
 * @type {Record<string, (place: Place) => Promise<number>>}
 */
export const rates = {
  'contacts/s, one a request': (place) => written(place, '/v2/contacts', { body: 'single', connections: 32 }, 1),
  'contacts/s, 1,000 a request': (place) =>
    written(place, '/v2/contacts/batch', { body: 'batch', connections: 4 }, 1000),
  'events/s, sessions of 5': (place) => events(place, { session: 5, withIds: false }),
  'events/s, each of another user, with ids': (place) => events(place, { session: 1, withIds: true }),
};

/**
 * @param {Place} place
 * @param {{ session: number, withIds: boolean }} how
 */
function events(place, how) {
  const since = Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth(), 1);
  const order = { ...{ body: 'events', connections: 8, since, users: place.sizes.users }, ...how };
  return written(place, '/v2/events', order, 500);
}

/**
 * @param {Place} place
 * @param {string} path
 * @param {{ body: string, connections: number } & Record<string, unknown>} how
 * @param {number} each
 */
async function written(place, path, how, each) {
  const { client, tenantId, token, url } = place;
  const start = performance.now();
  // Another run uses other addresses, and so other contacts.
  const { answered } = await load(url, path, token, { ...how, prefix: `l${start.toString(36)}-`.replace('.', '') });
  await untilDone(client, tenantId);
  const perSecond = (answered * each) / ((performance.now() - start) / 1000);
  await untilAtRest(place);
  return perSecond;
}

/**
 * From the request until the list has the contact, in milliseconds.
 * @param {Place} place
 */
export async function freshAfterWrite(place) {
  const { base, sizes, call, listOf } = place;
  const took = [];
  for (let k = 0; k < rounds; k++) {
    const contactId = contactIdOf(mix(k) % sizes.contacts, base);
    for (const value of ['yes', null]) {
      const start = performance.now();
      await call(`/v2/contacts/${contactId}`, { properties: { [mark]: value } }, 'PATCH');
      await untilMember(place, listOf.marked ?? '', contactId, value !== null);
      took.push(performance.now() - start);
    }
  }
  return timesOf(took);
}

/**
 * How long after its time a window was closed, in milliseconds.
 * @param {Place} place
 */
export async function freshAfterWindow(place) {
  const { base, sizes, call, client, tenantId, listOf } = place;
  /** @type {Map<string, { at: number, hasJoined: boolean }>} */ const open = new Map();
  const took = [];
  for (let k = 0; k < rounds || open.size > 0; ) {
    if (k < rounds) {
      const n = (mix(k + 1000) + k) % sizes.contacts;
      const at = Date.now();
      open.set(contactIdOf(n, base), { at, hasJoined: false });
      await call('/v2/events', { events: [{ email: addressOf(n), eventName: ping, eventDate: iso(at) }] });
      k++;
    }
    const { rows } = await client.query(
      `select m.contact_id as id from dynamic_list l join dynamic_member m using (tenant_id, list_no)
       where l.tenant_id = $1 and l.list_id = decode($2, 'hex')`,
      [tenantId, listOf.pinged],
    );
    const members = new Set(rows.map(({ id }) => id));
    for (const [id, each] of open) {
      if (members.has(id)) each.hasJoined = true;
      else if (each.hasJoined) {
        took.push(Date.now() - each.at - pingSeconds * 1000);
        open.delete(id);
      }
    }
    await sleep(k < rounds ? 100 : 2);
  }
  return timesOf(took);
}

/**
 * @param {Place} place
 * @param {string} listId
 * @param {string} contactId
 * @param {boolean} isMember
 */
async function untilMember({ client, tenantId }, listId, contactId, isMember) {
  for (;;) {
    const { rows } = await client.query(
      `select 1 from dynamic_list l join dynamic_member m using (tenant_id, list_no)
       where l.tenant_id = $1 and l.list_id = decode($2, 'hex') and m.contact_id = $3`,
      [tenantId, listId, contactId],
    );
    if (rows.length > 0 === isMember) return;
    await sleep(2);
  }
}

/**
 * Milliseconds of CPU time per second without requests: for the service and for its database.
 * @param {Place} place
 */
export async function idleCost({ service, dataDir }) {
  await sleep(2000);
  const costs = async () => [
    await cpuSecondsOf([service.pid]),
    await cpuSecondsOf(await postgresPids(dataDir), { withEnded: true }),
  ];
  const before = await costs();
  await sleep(idleSeconds * 1000);
  return (await costs()).map((time, i) => (Math.max(0, time - (before[i] ?? 0)) / idleSeconds) * 1000);
}

/** Bytes per row of the large tables, with indexes and TOAST. @param {Place} place */
export async function sizeOnDisk({ client }) {
  const names = [
    ...[
      'contact',
      'contact_search',
      'organization',
      'product_user',
      'event',
      'event_count',
      'message',
      'message_attempt',
    ],
    ...[
      'message_event',
      'marketing_activity',
      'marketing_activity_count',
      'enrolment',
      'enrolment_turn',
      'dynamic_member',
    ],
  ];
  /** @type {Record<string, { rows: number, bytes: number }>} */
  const sizes = {};
  for (const name of names) {
    const { rows } = await client.query(
      `select (select count(*) from ${name})::int8 as rows, pg_total_relation_size($1)
         + coalesce((select sum(pg_total_relation_size(relid)) from pg_partition_tree($1) where isleaf), 0)::int8 as bytes`,
      [name],
    );
    sizes[name] = { rows: Number(rows[0].rows), bytes: Number(rows[0].bytes) };
  }
  return sizes;
}

/** @param {Place} place */
export async function databaseSize({ client }) {
  const { rows } = await client.query('select pg_database_size(current_database())::int8 as bytes');
  return Number(rows[0].bytes);
}
