// One writer of the contacts proof. Its emails are its own, so the order of its writes is the order of their effects.
// Each write sets `n` to a new, higher number, so the activity log of a contact shows which writes were applied.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { callJson } from '../../server/test/process/tenant.js';

const ownEmails = 12;
// Three of these make a batch that is applied in the transaction that acknowledges it.
const longEnough = 'x'.repeat(1500);

/** @typedef {{ acknowledged: number[], unsure: Set<number> }} Story Unsure: sent, but killed before the response. */

export class Writer {
  /** Acknowledged transactions and the statuses that their items must end with; undefined if any but FAILED will do. */
  transactions = new Map();
  #stopped = false;
  #n = 0;
  /** @type {Map<string, Story>} */
  #stories = new Map();
  /** @type {Map<string, string>} */
  #ids = new Map();
  /** @type {Set<string>} */
  #erased = new Set();
  #mortals = 0;

  /**
   * @param {string} url
   * @param {string} token
   * @param {number} index
   * @param {boolean} withKeys Retries with an Idempotency-Key until there is a response, so that nothing stays unsure.
   */
  constructor(url, token, index, withKeys) {
    this.url = url;
    this.token = token;
    this.index = index;
    this.withKeys = withKeys;
  }

  get acknowledged() {
    return this.transactions.size;
  }

  stop() {
    this.#stopped = true;
  }

  async run() {
    while (!this.#stopped) {
      const chance = Math.random();
      if (chance < 0.65) await this.#batch();
      else if (chance < 0.95) await this.#patch();
      else await this.#makeAndErase();
    }
  }

  /** @param {number} i */
  #email(i) {
    return `w${this.index}-${i}@example.com`;
  }

  async #batch() {
    const emails = Array.from({ length: ownEmails }, (_, i) => this.#email(i)).filter(() => Math.random() < 0.4);
    if (emails.length === 0) return;
    const pad = this.withKeys ? undefined : longEnough;
    const contacts = emails.map((email) => ({ email, properties: { n: ++this.#n, pad } }));
    const acknowledged = await this.#send('POST', '/v2/contacts/batch', { contacts });
    for (const { email, properties } of contacts) this.#tell(email, properties.n, acknowledged !== undefined);
  }

  async #patch() {
    const email = this.#email(Math.floor(Math.random() * ownEmails));
    const id = this.#ids.get(email) ?? (await this.#lookUp(email));
    if (!id) return;
    // PATCH takes no Idempotency-Key: a lost response leaves the write unsure.
    const n = ++this.#n;
    const acknowledged = await this.#send('PATCH', `/v1/contacts/${id}`, { properties: { n } });
    this.#tell(email, n, acknowledged !== undefined);
  }

  async #makeAndErase() {
    const email = `w${this.index}-mortal-${this.#mortals++}@example.com`;
    const made = await this.#send('POST', '/v1/contacts', { email }, ['CREATED']);
    if (!made || !(await this.#untilDone(made))) return;
    const id = await this.#lookUp(email);
    if (id && (await this.#send('DELETE', `/v2/contacts/${id}`, undefined, ['UPDATED']))) this.#erased.add(email);
  }

  /**
   * @param {string} email
   * @param {number} n
   * @param {boolean} acknowledged
   */
  #tell(email, n, acknowledged) {
    const story = this.#stories.get(email) ?? { acknowledged: [], unsure: new Set() };
    this.#stories.set(email, story);
    if (acknowledged) story.acknowledged.push(n);
    else story.unsure.add(n);
  }

  /** @param {string} email */
  async #lookUp(email) {
    const reply = await this.#call('GET', `/v1/contacts/by-email/${email}`);
    const id = reply?.status === 200 ? String(reply.body.data.id) : undefined;
    if (id) this.#ids.set(email, id);
    return id;
  }

  /**
   * Returns the transaction id, or undefined if it is unknown.
   * @param {string} method
   * @param {string} path
   * @param {unknown} body
   * @param {string[]} [statuses]
   */
  async #send(method, path, body, statuses) {
    const key = this.withKeys && method === 'POST' ? randomUUID() : undefined;
    for (;;) {
      const reply = await this.#call(method, path, body, key);
      if (reply?.status === 200) {
        const { transactionId } = reply.body.data;
        this.transactions.set(transactionId, statuses);
        return transactionId;
      }
      // 502 and 504 are a balancer's: it lost the node that it had asked.
      if (reply && reply.status < 502)
        throw new Error(`${method} ${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
      await sleep(10);
      if (!key) return undefined;
    }
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   * @param {string} [key]
   */
  #call(method, path, body, key) {
    const headers = key ? { 'idempotency-key': key } : {};
    return callJson(this.url + path, { token: this.token, method, body, headers }).catch(() => undefined);
  }

  /**
   * Once everything runs again: what is not answered now is answered soon.
   * @param {string} path
   */
  async #read(path) {
    for (let tries = 0; tries < 600; tries++) {
      const reply = await this.#call('GET', path);
      if (reply && reply.status < 500) return reply;
      await sleep(100);
    }
    return undefined;
  }

  /** @param {string} transactionId */
  async #untilDone(transactionId) {
    for (let tries = 0; tries < 6000; tries++) {
      const reply = await this.#call('GET', `/v2/contacts/transactions/${transactionId}`);
      if (reply?.status === 200 && reply.body.data.status === 'DONE') return reply.body.data;
      await sleep(10);
    }
    return undefined;
  }

  /** What is wrong, once everything runs again. */
  async compare() {
    /** @type {string[]} */
    const problems = [];
    for (const [transactionId, statuses] of this.transactions) {
      const done = await this.#untilDone(transactionId);
      const ended = done?.data.results.map((/** @type {{ status: string }} */ item) => item.status);
      if (!ended) problems.push(`${transactionId} never ended`);
      else if (statuses ? String(ended) !== String(statuses) : ended.includes('FAILED')) {
        problems.push(`${transactionId} ended ${ended}, not ${statuses ?? 'well'}`);
      }
    }
    for (const [email, story] of this.#stories) problems.push(...(await this.#compareStory(email, story)));
    for (const email of this.#erased) {
      const reply = await this.#read(`/v1/contacts/by-email/${email}`);
      if (reply?.status !== 400) problems.push(`${email} was erased and is still there`);
    }
    return problems;
  }

  /**
   * @param {string} email
   * @param {Story} story
   */
  async #compareStory(email, { acknowledged, unsure }) {
    if (acknowledged.length === 0) return [];
    const reply = await this.#read(`/v1/contacts/by-email/${email}`);
    if (reply?.status !== 200) return [`${email} is missing`];
    const history = await this.#historyOf(reply.body.data);
    const applied = new Set(history);
    const missing = acknowledged.filter((n) => !applied.has(n));
    const strange = history.filter((n) => !acknowledged.includes(n) && !unsure.has(n));
    const disorder = history.findIndex((n, i) => i > 0 && n <= /** @type {number} */ (history[i - 1]));
    return [
      ...(missing.length ? [`${email}: acknowledged and lost: ${missing}`] : []),
      ...(strange.length ? [`${email}: never sent: ${strange}`] : []),
      ...(disorder >= 0 ? [`${email}: twice or out of order at ${history.slice(disorder - 1, disorder + 1)}`] : []),
      ...(reply.body.data.properties.n === history.at(-1) ? [] : [`${email}: its value is not its last change`]),
    ];
  }

  /**
   * Every value that `n` ever had, oldest first.
   * @param {{ id: string, properties: { n: number } }} contact
   * @returns {Promise<number[]>}
   */
  async #historyOf({ id, properties }) {
    /** @type {{ oldValue: number, newValue: number }[]} */
    const changes = [];
    for (let page = 1, pages = 1; page <= pages; page++) {
      const reply = await this.#read(`/v1/contacts/${id}/activity-log?pageSize=200&pageNumber=${page}`);
      if (reply?.status !== 200) throw new Error(`The history of ${id} cannot be read`);
      changes.push(...reply.body.data);
      pages = reply.body.pagination.totalPages;
    }
    const oldest = changes.at(-1);
    return oldest ? [oldest.oldValue, ...changes.map((change) => change.newValue).reverse()] : [properties.n];
  }
}
