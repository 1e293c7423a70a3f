// Clients that write one contact after the other and note what they get. What they saw of an outage is what any client sees.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '../messages-compare.js';

const clients = 4;
const patienceMs = 60_000;
const restMs = 50;
// Seconds. The service notices within 5 s that its database is silent; one request may meet that twice.
const longestAnswer = 12;
const soonest = 15;

/** @typedef {{ sentAt: number, at: number, what: string }} Answer */

export class Probe {
  acknowledged = 0;
  /** @type {string[]} */
  emails = [];
  /** @type {Answer[]} */
  #answers = [];
  #stopped = false;

  /** @param {{ url: string, token: string }} place */
  constructor({ url, token }) {
    this.url = url;
    this.token = token;
  }

  stop() {
    this.#stopped = true;
  }

  async run() {
    await Promise.all(Array.from({ length: clients }, (_, i) => this.#write(i)));
  }

  /** @param {number} client */
  async #write(client) {
    for (let n = 0; !this.#stopped; n++) {
      const email = `probe${client}-${n}@example.com`;
      const key = randomUUID();
      while ((await this.#post(email, key)) !== '200') await sleep(restMs);
      this.emails.push(email);
      this.acknowledged++;
      await sleep(restMs);
    }
  }

  /**
   * @param {string} email
   * @param {string} key
   */
  async #post(email, key) {
    const sentAt = performance.now();
    const what = await fetch(`${this.url}/v2/contacts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ email, properties: {} }),
      signal: AbortSignal.timeout(patienceMs),
    }).then(
      async (response) => {
        await response.arrayBuffer();
        const hint = response.headers.has('retry-after') ? ' with Retry-After' : '';
        return `${response.status}${hint}`;
      },
      (error) => `no answer (${error.cause?.code ?? error.name})`,
    );
    this.#answers.push({ sentAt, at: performance.now(), what });
    return what;
  }

  /**
   * What clients saw from the failure of the primary until writes were taken again.
   * @param {import('../under-fire.js').Promotion} promotion
   */
  async outage({ at, promotedAt }) {
    // What was on its way when the primary failed may still be answered well: that is not yet the end.
    const isBack = () => {
      const failedAt = this.#answers.find((answer) => answer.at > at && answer.what !== '200')?.at ?? promotedAt;
      return this.#answers.find(({ sentAt, what }) => sentAt > Math.min(failedAt, promotedAt) && what === '200');
    };
    while (!isBack()) await sleep(restMs);
    const back = /** @type {Answer} */ (isBack());
    const meanwhile = this.#answers.filter((answer) => answer.at > at && answer.sentAt < back.at && answer !== back);
    const slowest = Math.max(0, ...meanwhile.map((answer) => answer.at - answer.sentAt)) / 1000;
    const others = meanwhile.filter(({ what }) => what !== '200' && what !== '503 with Retry-After');
    const [out, after] = [(back.at - at) / 1000, (back.at - promotedAt) / 1000];
    return {
      ...{ out, after, slowest },
      said: `promoted after ${seconds((promotedAt - at) / 1000)}, writes again after ${seconds(out)} (${seconds(after)} from the promotion); clients got ${tally(meanwhile)}, the slowest after ${seconds(slowest)}`,
      late: [
        ...(after > soonest ? [`writes were taken ${seconds(after)} after a promotion`] : []),
        ...(slowest > longestAnswer ? [`an answer took ${seconds(slowest)} after the primary had failed`] : []),
      ],
      problems: [...(others.length > 0 ? [`clients got ${tally(others)} after the primary had failed`] : [])],
    };
  }

  /** Every answer there was. */
  get tally() {
    return tally(this.#answers);
  }

  /**
   * Each acknowledged contact is there, once, and no other.
   * @param {import('../under-fire.js').Place} place
   */
  async compare({ connection, tenantId }) {
    const stored = await withClient(connection, async (client) => {
      const text = `select email from contact where tenant_id = $1 and email like 'probe%'`;
      const { rows } = await client.query(text, [tenantId]);
      return rows.map(({ email }) => String(email));
    });
    const there = new Set(stored);
    const missing = this.emails.filter((email) => !there.has(email));
    return [
      ...(missing.length > 0 ? [`${missing.length} acknowledged contacts are missing, such as ${missing[0]}`] : []),
      ...(stored.length === there.size ? [] : ['contacts are there twice']),
      ...(stored.length - missing.length > this.emails.length ? ['there are contacts that were not acknowledged'] : []),
      ...(this.#answers.some(({ what }) => what.startsWith('500')) ? ['a client got 500'] : []),
    ];
  }
}

/** @param {number} value */
const seconds = (value) => `${value.toFixed(1)} s`;

/** @param {Answer[]} answers */
function tally(answers) {
  /** @type {Map<string, number>} */ const counts = new Map();
  for (const { what } of answers) counts.set(what, (counts.get(what) ?? 0) + 1);
  return [...counts].map(([what, count]) => `${what} × ${count}`).join(', ') || 'nothing';
}
