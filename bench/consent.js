// Consent against bare limits, in one run: sending with a topic beside sending without, a form post beside one INSERT, and the preference page.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { callJson } from '../server/test/process/tenant.js';
import { catchMails } from './catch-mails.js';
import { compare, load, untilDone } from './measure.js';
import { sendAll } from './messages.js';
import { startSender } from './sender.js';
import { startSinkProcess } from './sink-process.js';

const messages = Number(process.env.BENCH_MESSAGES ?? 50_000);
const posts = Number(process.env.BENCH_POSTS ?? 6000);
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const turns = 5;
const contacts = 10_000;
// No bound goes higher.
const many = '1000000';
const mostBytes = 15_000;

/** @param {(line: string) => void} say */
export async function bench(say) {
  const sink = await startSinkProcess();
  try {
    const settings = { FORM_POSTS_PER_NETWORK: many, FORM_POSTS_PER_FORM: many, FORM_POSTS_PER_ADDRESS: many };
    const place = await startSender(sink, { contacts, connections: 10, settings });
    const topicId = await makeTopic(place, 'News');
    for (const [name, part] of Object.entries({ sending, posting, page }))
      if ((process.env.BENCH_PART ?? name) === name) await part(place, topicId, say);
    await place.client.end();
    await place.service.stop();
  } finally {
    await sink.stop();
  }
}

/** @typedef {Awaited<ReturnType<typeof startSender>>} Place */

/**
 * @param {Place} place
 * @param {string} name
 * @returns {Promise<string>}
 */
async function makeTopic({ service, token }, name) {
  const body = { name, byDefault: 'unsubscribed', description: 'Once a month, what is new and what is to come.' };
  const made = await callJson(`${service.url}/v2/topics`, { token, method: 'POST', body });
  return made.body.data.topicId;
}

/**
 * Everybody said that they want it: there is a row to look up for each message.
 * @param {Place} place
 * @param {string} topicId
 * @param {(line: string) => void} say
 */
async function sending(place, topicId, say) {
  const { client, tenantId, emailId } = place;
  const topic = Buffer.from(topicId, 'hex');
  await client.query(
    `insert into contact_topic (tenant_id, contact_id, topic_id, state, since, source)
     select tenant_id, contact_id, $2, 'subscribed', now(), 'api' from contact where tenant_id = $1`,
    [tenantId, topic],
  );
  await client.query('analyze contact_topic');
  const about = (/** @type {Buffer | null} */ id) =>
    client.query('update email set topic_id = $3 where tenant_id = $1 and email_id = $2', [
      ...[tenantId, Buffer.from(emailId, 'hex')],
      id,
    ]);
  const each = Math.ceil(messages / (2 * turns));
  for (const id of [null, topic]) {
    await about(id);
    await sendAll(place, each);
  }
  await client.query('analyze message');
  /** @type {number[]} */ const withTopic = [];
  /** @type {number[]} */ const without = [];
  // In turn, and each first in every second turn, so that a busy moment and a growing table hit both.
  for (let turn = 0; turn < turns; turn++)
    for (const isWith of turn % 2 === 0 ? [false, true] : [true, false]) {
      await about(isWith ? topic : null);
      (isWith ? withTopic : without).push((await sendAll(place, each)).perSecond);
    }
  await about(null);
  compare(say, 'messages/s sent with a topic', withTopic, without, 'without', 0.97);
}

/**
 * @param {Place} place
 * @param {string} topicId
 * @param {(line: string) => void} say
 */
async function posting({ service, token, connection, client, tenantId }, topicId, say) {
  const fields = [{ property: 'email', label: 'Email', type: 'email' }];
  const body = { name: 'Bench', fields, topicIds: [topicId], consentText: 'Yes, write to me.' };
  const made = await callJson(`${service.url}/v2/forms`, { token, method: 'POST', body });
  const path = new URL(made.body.data.url).pathname;
  const folder = await mkdtemp(join(tmpdir(), 'rapport-bench-'));
  const bare = fork(fileURLToPath(new URL('bare-forms.js', import.meta.url)));
  bare.send({ connection, tenantId: tenantId + 1000 });
  const [{ url }] = await once(bare, 'message');
  try {
    /** @type {number[]} */ const ours = [];
    /** @type {number[]} */ const limit = [];
    const each = Math.ceil(posts / rounds);
    for (let round = 0; round <= rounds; round++) {
      const file = join(folder, `bodies-${round}`);
      // The first round warms both up.
      const bodies = await solved(service.url + path, round === 0 ? Math.ceil(each / 4) : each, `r${round}-`);
      await writeFile(file, bodies.join('\n'));
      const how = { body: 'file', connections: 32, file, seconds: 600 };
      const floor = await load(url, '/insert', undefined, how);
      const found = await load(service.url, path, undefined, how);
      await untilDone(client, tenantId);
      if (round === 0) continue;
      limit.push(floor.perSecond);
      ours.push(found.perSecond);
    }
    compare(
      say,
      'form posts a second, proof of work checked, 32 connections',
      ours,
      limit,
      'a bare route with one INSERT',
      0.5,
    );
  } finally {
    bare.disconnect();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * By two processes: finding an answer takes ten milliseconds.
 * @param {string} form
 * @param {number} count
 * @param {string} prefix
 * @returns {Promise<string[]>}
 */
async function solved(form, count, prefix) {
  const parts = await Promise.all(
    ['a', 'b'].map(async (part) => {
      const child = fork(fileURLToPath(new URL('solve.js', import.meta.url)));
      child.send({ form, count: Math.ceil(count / 2), prefix: prefix + part });
      const [bodies] = await once(child, 'message');
      child.disconnect();
      return bodies;
    }),
  );
  return parts.flat();
}

/**
 * That it takes one statement is a test: see server/src/features/consent/mail.test.ts.
 * @param {Place} place
 * @param {string} _topicId
 * @param {(line: string) => void} say
 */
async function page(place, _topicId, say) {
  for (let n = 2; n <= 10; n++) await makeTopic(place, `Topic number ${n}`);
  const { service, token, emailId } = place;
  const html = '<a href="{{preferences_url}}">Preferences</a> <a href="{{unsubscribe_url}}">Unsubscribe</a>';
  await callJson(`${service.url}/v2/emails/${emailId}`, { token, method: 'PATCH', body: { html } });
  const [mail] = await catchMails(place, 1);
  const link = /\/t\/p\/[\w-]+/.exec(mail?.raw.replace(/=\r\n/g, '').replaceAll('=3D', '=') ?? '')?.[0];
  const response = await fetch(`${service.url}${link}`);
  const bytes = Buffer.byteLength(await response.text());
  if (response.status !== 200) throw new Error(`The preference page answered ${response.status}.`);
  say(`the preference page with 10 topics: ${bytes} bytes (goal: less than ${mostBytes})`);
}
