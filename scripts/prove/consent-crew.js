// The actors in the consent proof: people who send forms, people who answer mails, and one who writes to everyone all the time.
import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { callJson } from '../../server/test/process/tenant.js';
import { untilAnswered } from './messages-queuer.js';

// Milliseconds without anything new before those who answer mails stop.
const patience = 120_000;

/**
 * @typedef {{ subscribed: string[], asked: Set<string>, confirmed: Set<string>, left: Map<string, number> }} Book What was answered: who subscribed, who
 *   was to be asked by mail, who confirmed, and who left when.
 * @typedef {import('./under-fire.js').Place & { forms: string[], emailId: string, quota: import('./messages-queuer.js').Quota, book: Book,
 *   sink: import('./mail-fire.js').Sink }} Work
 */

/** @param {number} n */
const isAsked = (n) => n % 2 === 1;
/** @param {number} n */
const leaves = (n) => n % 4 === 0;
/** @param {number} n */
const addressOf = (n) => `p${n}@mail${n % 4}.example.com`;
/** @param {string} address */
const numberOf = (address) => Number(/^p(\d+)@/.exec(address)?.[1]);

/** Sends forms, with their proof of work: the first to the even ones, the second to the odd ones. */
export class Subscriber {
  acknowledged = 0;
  #stopped = false;

  /** @param {Work} work */
  constructor(work) {
    this.work = work;
  }

  /** People who may still come do so first. */
  stop() {
    this.#stopped = true;
  }

  async run() {
    const { quota, book } = this.work;
    for (;;) {
      const n = quota.taken;
      if (quota.take(1) > 0) {
        if (isAsked(n)) book.asked.add(addressOf(n));
        await this.#subscribe(n);
        if (!isAsked(n)) book.subscribed.push(addressOf(n));
        this.acknowledged++;
      } else if (this.#stopped) return;
      else await sleep(5);
    }
  }

  /** Each try has a proof of its own: whether the one before was used is not known. @param {number} n */
  async #subscribe(n) {
    const form = /** @type {string} */ (this.work.forms[isAsked(n) ? 1 : 0]);
    await untilAnswered(async () => {
      const response = await fetch(`${form}/challenge`);
      if (response.status !== 200) return { status: 503, body: undefined };
      const challenge = /** @type {Record<string, any>} */ (await response.json());
      const body = { email: addressOf(n), altcha: solve(challenge) };
      return callJson(form, { token: '', method: 'POST', body });
    });
  }
}

/** @param {Record<string, any>} challenge */
function solve(challenge) {
  for (let number = 0; number <= challenge.maxnumber; number++)
    if (hash('sha256', challenge.salt + number) === challenge.challenge)
      return Buffer.from(JSON.stringify({ ...challenge, number })).toString('base64');
  throw new Error('A challenge without an answer.');
}

/** Opens every link that asks, and confirms; and unsubscribes every fourth person by one-click at their first mail. */
export class Answerer {
  acknowledged = 0;
  #stopped = false;
  #read = 0;

  /** @param {Work} work */
  constructor(work) {
    this.work = work;
  }

  stop() {
    this.#stopped = true;
  }

  async run() {
    const { book, sink } = this.work;
    for (let since = performance.now(); ; ) {
      const mails = await sink.mails(this.#read);
      this.#read += mails.length;
      await Promise.all(mails.map((mail) => this.#answer(mail)));
      const leaving = book.subscribed.filter((address) => leaves(numberOf(address)));
      const isDone = book.confirmed.size === book.asked.size && leaving.every((address) => book.left.has(address));
      if (this.#stopped && isDone) return;
      if (mails.length > 0) since = performance.now();
      else if (this.#stopped && performance.now() - since > patience) return;
      await sleep(20);
    }
  }

  /** @param {import('../../bench/smtp-sink.js').Mail} mail */
  async #answer({ to, links }) {
    const { url, book } = this.work;
    const question = links.find((path) => path.startsWith('/t/y/'));
    const farewell = links.find((path) => path.startsWith('/t/u/'));
    if (question && !book.confirmed.has(to)) {
      await post(url + question, '');
      book.confirmed.add(to);
      this.acknowledged++;
    } else if (!question && farewell && leaves(numberOf(to)) && !book.left.has(to)) {
      await post(url + farewell, 'List-Unsubscribe=One-Click');
      book.left.set(to, Date.now());
      this.acknowledged++;
    }
  }
}

/**
 * @param {string} url
 * @param {string} body
 */
async function post(url, body) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  await untilAnswered(async () => {
    const response = await fetch(url, { method: 'POST', headers, body });
    await response.text();
    return { status: response.status, body: undefined };
  });
}

/** Queues messages about the first topic, to people who are subscribed and to people who left; at least one to each subscriber. */
export class Correspondent {
  acknowledged = 0;
  #stoppedAt = Number.POSITIVE_INFINITY;
  #written = 0;

  /**
   * @param {Work} work
   * @param {import('./hostile/random.js').Random} random
   */
  constructor(work, random) {
    this.work = work;
    this.random = random;
  }

  stop() {
    this.#stoppedAt = performance.now();
  }

  async run() {
    const { book } = this.work;
    for (;;) {
      const fresh = book.subscribed.slice(this.#written);
      const known = book.subscribed.slice(0, this.#written);
      this.#written += fresh.length;
      const again = known.filter((address) => book.left.has(address) || this.random.chance(0.02));
      for (const address of [...fresh, ...again.slice(0, 20)]) await this.#write(address);
      const isStopped = performance.now() >= this.#stoppedAt;
      if (isStopped && this.#written === book.subscribed.length && this.#hasAll()) return;
      if (performance.now() - this.#stoppedAt > 2 * patience) return;
      await sleep(20);
    }
  }

  /** Everyone who is to leave has left, so the answerer is done, too. */
  #hasAll() {
    const { book } = this.work;
    return book.subscribed.every((address) => !leaves(numberOf(address)) || book.left.has(address));
  }

  /** @param {string} email */
  async #write(email) {
    const { url, token, emailId } = this.work;
    const body = { emailId, email };
    await untilAnswered(async () => {
      const reply = await callJson(`${url}/v2/messages`, { token, method: 'POST', body });
      // The form was answered, and the queue has not made the contact yet.
      return reply.status === 400 ? { status: 503, body: undefined } : reply;
    });
    this.acknowledged++;
  }
}
