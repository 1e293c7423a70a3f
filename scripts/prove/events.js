// Events are sent at full speed while the API, the workers and the database are killed with -9, at random. A sender repeats
// a batch until it is acknowledged: every event must be stored, and none twice.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { callJson } from '../../server/test/process/tenant.js';
import { compareWays } from './contacts.js';
import { proveUnderFire } from './under-fire.js';

export const claim = 'every acknowledged event is stored once, whatever is killed: API, workers or database';

const senders = 6;
const batchSize = 50;

/** @param {{ rounds: number, say: (line: string) => void }} options */
export function prove(options) {
  return proveUnderFire(options, {
    what: 'events',
    hire: async ({ url, token }) => {
      const emails = Array.from({ length: senders }, (_, i) => `sender${i}@example.com`);
      await makeContacts(url, token, emails);
      return emails.map((email) => new Sender(url, token, email));
    },
    compare,
  });
}

/** Sends one batch after the other, each until it is acknowledged. */
class Sender {
  acknowledged = 0;
  #stopped = false;

  /**
   * @param {string} url
   * @param {string} token
   * @param {string} email
   */
  constructor(url, token, email) {
    this.url = url;
    this.token = token;
    this.email = email;
  }

  stop() {
    this.#stopped = true;
  }

  async run() {
    while (!this.#stopped) {
      const events = Array.from({ length: batchSize }, (_, i) => ({
        eventId: `${this.email}-${this.acknowledged + i}`,
        email: this.email,
        eventName: 'sent',
        eventDate: dateOf(this.acknowledged + i),
        eventProperties: { n: this.acknowledged + i },
      }));
      await untilAnswered(() =>
        callJson(`${this.url}/v2/events`, { token: this.token, method: 'POST', body: { events } }),
      );
      this.acknowledged += batchSize;
    }
  }
}

/**
 * Spread over years, so that months are created while events arrive.
 * @param {number} n
 */
function dateOf(n) {
  return new Date(Date.UTC(2020 + (n % 7), n % 12, 1 + (n % 28), 0, 0, n % 60)).toISOString();
}

/** @param {() => Promise<{ status: number, body: any }>} call */
async function untilAnswered(call) {
  for (;;) {
    const reply = await call().catch(() => undefined);
    if (reply?.status === 200) return reply.body;
    if (reply && reply.status < 500) throw new Error(`Refused with ${reply.status}: ${JSON.stringify(reply.body)}`);
    await sleep(20);
  }
}

/**
 * @param {string} url
 * @param {string} token
 * @param {string[]} emails
 */
async function makeContacts(url, token, emails) {
  const body = { contacts: emails.map((email) => ({ email })) };
  await untilAnswered(() => callJson(`${url}/v2/contacts/batch`, { token, method: 'POST', body }));
  for (const email of emails) {
    while ((await callJson(`${url}/v2/contacts/by-email/${email}`, { token })).status !== 200) await sleep(20);
  }
}

/**
 * What the API returns, what the table has and what the counts say must all match what was acknowledged.
 * @param {import('./under-fire.js').Place} place
 * @param {Sender[]} crew
 * @param {import('./under-fire.js').Kills} kills
 */
async function compare({ url, token, connection }, crew, kills) {
  const client = new pg.Client(connection);
  await client.connect();
  const one = async (/** @type {string} */ text) => (await client.query(text)).rows[0].n;
  while ((await one(`select count(*)::int as n from write_transaction where status = 'PENDING'`)) > 0) await sleep(50);
  const problems = await compareWays({ connection }, kills);
  const stored = await one('select count(*)::int as n from event');
  const distinct = await one(`select count(distinct (contact_id, properties ->> 'n'))::int as n from event`);
  const counted = await one('select coalesce(sum(events), 0)::int as n from event_count');
  await client.end();
  const expected = crew.reduce((sum, sender) => sum + sender.acknowledged, 0);
  if (stored !== expected) problems.push(`${expected} events were acknowledged, ${stored} are stored`);
  if (distinct !== stored) problems.push(`${stored - distinct} events are stored more than once`);
  if (counted !== stored) problems.push(`${stored} events are stored, ${counted} are counted`);
  for (const { email, acknowledged } of crew) {
    const contact = await callJson(`${url}/v2/contacts/by-email/${email}`, { token });
    const page = await callJson(`${url}/v2/contacts/${contact.body.data.id}/product-activity`, { token });
    const { totalElements } = page.body.pagination;
    if (totalElements !== acknowledged)
      problems.push(`${email}: ${acknowledged} acknowledged, totalElements ${totalElements}`);
  }
  return problems;
}
