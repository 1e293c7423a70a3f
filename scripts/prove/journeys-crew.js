// The actors in the journeys proof: senders of the events that enrol contacts, and customers, who do what contacts wait for.
import { setTimeout as sleep } from 'node:timers/promises';
import { callJson } from '../../server/test/process/tenant.js';
import { addressOf, entersByEvent, planOf } from './journeys-story.js';
import { withClient } from './messages-compare.js';
import { untilAnswered } from './messages-queuer.js';

const largestBatch = 200;
const mostAtOnce = 500;
// Milliseconds without anything new before the customers stop.
const patience = 120_000;

/**
 * @typedef {{ url: string, token: string, connection: import('pg').ClientConfig, tenantId: number,
 *   quota: import('./messages-queuer.js').Quota, random: import('./hostile/random.js').Random, contacts: number }} Work
 */

/** Sends the events by which contacts enter: each once, with an id, so that a repeat after a kill does not count. */
export class Entrants {
  acknowledged = 0;
  #stopped = false;

  /** @param {Work} work */
  constructor(work) {
    this.work = work;
  }

  /** Contacts that may still enter do so first. */
  stop() {
    this.#stopped = true;
  }

  async run() {
    const { quota, random } = this.work;
    for (;;) {
      const from = quota.taken;
      const count = quota.take(1 + random.whole(largestBatch));
      if (count > 0) await this.#enter(from, count);
      else if (this.#stopped) return;
      else await sleep(5);
    }
  }

  /**
   * @param {number} from
   * @param {number} count
   */
  async #enter(from, count) {
    const numbers = Array.from({ length: count }, (_, i) => from + i).filter(entersByEvent);
    const now = new Date().toISOString();
    const events = numbers.map((n) => ({
      ...{ eventId: `enter-${n}`, email: addressOf(n), eventName: 'signed_up', eventDate: now },
      eventProperties: { order: n },
    }));
    if (events.length > 0) await send(this.work, '/v2/events', { events });
    this.acknowledged += events.length;
  }
}

/** Places orders and payments for contacts that wait for them, and now and then something else. Stays until no contact waits any more. */
export class Customers {
  acknowledged = 0;
  #stopped = false;
  /** @type {Set<number>} */
  #served = new Set();

  /** @param {Work} work */
  constructor(work) {
    this.work = work;
  }

  stop() {
    this.#stopped = true;
  }

  async run() {
    const { contacts } = this.work;
    // One order or payment for each.
    const expected = Array.from({ length: contacts }, (_, n) => planOf(n)).filter(
      (plan) => plan === 'pro' || plan === 'free',
    );
    let since = performance.now();
    while (this.#served.size < expected.length) {
      const waiting = await this.#findWaiting();
      if (waiting.length > 0) since = performance.now();
      else if (this.#stopped && performance.now() - since > patience) return;
      else await sleep(50);
      await this.#serve(waiting);
    }
  }

  /** Read from the table, so that an order never arrives before a contact waits for it. @returns {Promise<number[]>} */
  async #findWaiting() {
    const { connection, tenantId } = this.work;
    const rows = await withClient(connection, async (client) => {
      const found = await client.query(
        `select c.email from enrolment e join contact c using (tenant_id, contact_id)
         where e.tenant_id = $1 and e.state = 'active' and e.phase = 'waiting' and e.step_id in ('order', 'pay')`,
        [tenantId],
      );
      return found.rows;
    });
    const numbers = rows.map(({ email }) => Number(/^p(\d+)@/.exec(email)?.[1]));
    return numbers.filter((n) => !this.#served.has(n)).slice(0, mostAtOnce);
  }

  /** @param {number[]} numbers */
  async #serve(numbers) {
    const { random } = this.work;
    const eventDate = new Date().toISOString();
    const order = (/** @type {number} */ n, /** @type {number} */ of, /** @type {string} */ id) => ({
      ...{ eventId: `${id}-${n}`, email: addressOf(n), eventName: 'ordered', eventDate },
      eventProperties: { order: of },
    });
    const events = numbers
      .filter((n) => planOf(n) === 'pro')
      .flatMap((n) => [
        // For contacts that entered with an order, sometimes a different one first.
        ...(entersByEvent(n) && random.chance(0.3) ? [order(n, n + 1, 'other')] : []),
        order(n, n, 'order'),
      ]);
    for (let from = 0; from < events.length; from += mostAtOnce)
      await send(this.work, '/v2/events', { events: events.slice(from, from + mostAtOnce) });
    const contacts = numbers
      .filter((n) => planOf(n) === 'free')
      .map((n) => ({ email: addressOf(n), properties: { paid: true } }));
    if (contacts.length > 0) await send(this.work, '/v2/contacts/batch', { contacts });
    for (const n of numbers) this.#served.add(n);
    this.acknowledged += numbers.length;
  }
}

/**
 * Until it is acknowledged: what is sent here may arrive twice.
 * @param {{ url: string, token: string }} place
 * @param {string} path
 * @param {object} body
 */
export function send({ url, token }, path, body) {
  return untilAnswered(() => callJson(url + path, { token, method: 'POST', body }));
}
