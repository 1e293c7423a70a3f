// A client that queues messages in the messages proof: one by one or in batches, with and without an Idempotency-Key.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { callJson } from '../../server/test/process/tenant.js';

const largestBatch = 200;

/** How many messages may be queued by now, by all clients together. */
export class Quota {
  allowed = 0;
  taken = 0;

  /** @param {number} most */
  take(most) {
    const count = Math.min(most, this.allowed - this.taken);
    this.taken += count;
    return count;
  }
}

/**
 * @typedef {{ url: string, token: string, emailId: string, addresses: string[], quota: Quota,
 *   random: import('./hostile/random.js').Random }} Work
 */

export class MessageQueuer {
  /** @type {string[]} */
  ids = [];
  /** Messages that were requested without a key and got no response: they may exist or not. */
  unsure = 0;
  #stopped = false;
  #n = 0;

  /** @param {Work} work */
  constructor(work) {
    this.work = work;
  }

  get acknowledged() {
    return this.ids.length;
  }

  /** Messages that may still be queued are queued first. */
  stop() {
    this.#stopped = true;
  }

  async run() {
    const { quota, random } = this.work;
    for (;;) {
      const isBatch = random.chance(0.2);
      const count = quota.take(isBatch ? 1 + random.whole(largestBatch) : 1);
      if (count > 0) await this.#queue(count, isBatch);
      else if (this.#stopped) return;
      else await sleep(5);
    }
  }

  /**
   * Until they are acknowledged: with a key the very same ones, else others.
   * @param {number} count
   * @param {boolean} isBatch
   */
  async #queue(count, isBatch) {
    const { url, token, random } = this.work;
    const key = random.chance(0.5) ? randomUUID() : undefined;
    const messages = Array.from({ length: count }, () => this.#message());
    const path = isBatch ? '/v2/messages/batch' : '/v2/messages';
    const { data } = await untilAnswered(
      () =>
        callJson(url + path, {
          ...{ token, method: 'POST', body: isBatch ? { messages } : messages[0] },
          headers: key ? { 'idempotency-key': key } : {},
        }),
      () => {
        if (!key) this.unsure += count;
      },
    );
    const results = isBatch ? data.results : [data];
    for (const result of results) {
      if (result.state !== 'queued') throw new Error(`A message was refused: ${JSON.stringify(result)}`);
      this.ids.push(result.messageId);
    }
  }

  #message() {
    const { emailId, addresses, random } = this.work;
    return { emailId, email: random.pick(addresses), data: { n: this.#n++ }, transactional: random.chance(0.2) };
  }
}

/**
 * @param {() => Promise<{ status: number, body: any }>} call
 * @param {() => void} [onSilence] A call got no response.
 */
export async function untilAnswered(call, onSilence) {
  for (;;) {
    const reply = await call().catch(() => undefined);
    if (reply?.status === 200) return reply.body;
    if (reply && reply.status < 500) throw new Error(`Refused with ${reply.status}: ${JSON.stringify(reply.body)}`);
    onSilence?.();
    await sleep(20);
  }
}
