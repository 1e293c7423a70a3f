// Messages against bare limits, in one run: sending, queueing, opens through the pixel, and the cost of claiming beside a million messages
// that wait for later.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { besideMailer } from './beside-mailer.js';
import { catchMails } from './catch-mails.js';
import { claimCosts } from './claim-costs.js';
import { compare, load, readLoad, untilDone } from './measure.js';
import { startSender } from './sender.js';
import { startSinkProcess } from './sink-process.js';

const messages = Number(process.env.BENCH_MESSAGES ?? 100_000);
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const connections = 10;
// Rounds in which all are sent.
const turns = 5;
const contacts = 10_000;
// Opens are of different messages, as when a mailing arrives.
const opened = 1000;

/** @param {(line: string) => void} say */
export async function bench(say) {
  const sink = await startSinkProcess();
  try {
    const place = await startSender(sink, { contacts, connections });
    for (const [name, part] of Object.entries({ sending, queueing, opens, claiming }))
      if ((process.env.BENCH_PART ?? name) === name) await part(place, say);
    await place.client.end();
    await place.service.stop();
  } finally {
    await sink.stop();
  }
}

/** @typedef {Awaited<ReturnType<typeof startSender>>} Place */

/**
 * @param {Place} place
 * @param {(line: string) => void} say
 */
async function sending(place, say) {
  const { client } = place;
  const each = Math.ceil(messages / turns);
  let behind = 0;
  await besideMailer(place, say, {
    ...{ turns, each, connections, goal: 0.7 },
    what: (bytes) =>
      `messages/s sent, ${messages.toLocaleString('en')} queued, ${connections} connections, ${bytes} bytes, signed`,
    warmUp: async () => {
      await sendAll(place, Math.ceil(messages / 20));
      // As autovacuum does within a minute.
      await client.query('analyze message');
    },
    round: async () => {
      const sent = await sendAll(place, each);
      behind = Math.max(behind, sent.behind);
      return sent.perSecond;
    },
    also: () => `what came of them was applied ${behind} ms after the last had left`,
  });
  const { rows } = await client.query(`select count(*)::int as n from message where state <> 'sent'`);
  if (rows[0].n > 0) throw new Error(`${rows[0].n} messages were not sent.`);
}

/**
 * Queues with one statement, and waits until the ledger shows them all as sent.
 * @param {Place} place
 * @param {number} count
 */
export async function sendAll({ client, sink, tenantId, emailId }, count) {
  await sink.reset();
  await client.query(
    `insert into message (tenant_id, message_id, kind, contact_id, address, email_id)
     select $1, (lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || '7000' || '8000' || lpad(to_hex(n), 12, '0'))::uuid,
       'direct', c.contact_id, c.email, $2
     from generate_series(1, $3::int) n join contact c on c.tenant_id = $1 and c.email = 'p' || (n % $4::int) || '@example.com'`,
    [tenantId, Buffer.from(emailId, 'hex'), count, contacts],
  );
  // Messages queued by a statement wake no sender: an idle one looks once a second.
  while ((await sink.count()) === 0) await sleep(2);
  const start = performance.now();
  while ((await sink.count()) < count) await sleep(10);
  const isOpen = async () =>
    (await client.query(`select 1 from message where state in ('queued', 'sending') and due_at <= now() limit 1`)).rows
      .length > 0;
  while (await isOpen()) await sleep(5);
  const took = performance.now() - start;
  await untilDone(client, tenantId);
  return { perSecond: count / (took / 1000), behind: Math.round(performance.now() - start - took) };
}

/**
 * Messages for later, so that nothing is sent meanwhile.
 * @param {Place} place
 * @param {(line: string) => void} say
 */
async function queueing(place, say) {
  const { service, token, emailId } = place;
  const bare = await startBare(place);
  /** @type {number[]} */ const ours = [];
  /** @type {number[]} */ const limit = [];
  const how = { body: 'message', connections: 64, emailId };
  for (let round = 0; round < rounds; round++) {
    limit.push((await load(bare.url, '/insert', undefined, how)).perSecond);
    ours.push((await load(service.url, '/v2/messages', token, how)).perSecond);
  }
  bare.stop();
  compare(say, 'POST /v2/messages a second, 64 connections', ours, limit, 'a bare Fastify route with one INSERT', 0.7);
}

/**
 * @param {Place} place
 * @param {(line: string) => void} say
 */
async function opens(place, say) {
  const { service, client, tenantId } = place;
  const paths = (await catchMails(place, opened)).map(({ pixel }) => pixel);
  // Within three seconds of sending an open is a machine's.
  await sleep(3000);
  const bare = await startBare(place);
  /** @type {number[]} */ const ours = [];
  /** @type {number[]} */ const limit = [];
  for (let round = 0; round < rounds; round++) {
    limit.push((await readLoad(`${bare.url}/insert`, undefined, 32)).perSecond);
    ours.push((await readLoad(service.url, undefined, 32, paths)).perSecond);
    await untilDone(client, tenantId);
  }
  bare.stop();
  compare(say, 'opens a second through the pixel, 32 connections', ours, limit, 'the same bare route', 0.7);
}

/**
 * @param {Place} place
 * @param {(line: string) => void} say
 */
async function claiming({ client, emailId }, say) {
  await claimCosts(client, emailId, say);
}

/** @param {Place} place */
async function startBare({ connection, client, tenantId, emailId }) {
  const child = fork(fileURLToPath(new URL('bare-messages.js', import.meta.url)));
  const { rows } = await client.query('select contact_id as id from contact where tenant_id = $1 limit 1', [tenantId]);
  child.send({ connection, tenantId: tenantId + 1000, contactId: rows[0].id, emailId });
  const [{ url }] = await once(child, 'message');
  return { url, stop: () => child.disconnect() };
}
