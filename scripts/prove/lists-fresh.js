// Contacts, users, organizations, static lists, events and the filters themselves change while the API, the workers and the database are
// killed with -9, at random. Once everything is quiet, every dynamic list must have exactly the members that a count from scratch finds.
import { setTimeout as sleep } from 'node:timers/promises';
import { clientConfig } from '../../server/dist/db/connect.js';
import { sql } from '../../server/dist/db/sql.js';
import { compile } from '../../server/dist/features/filter-language/compile/index.js';
import { readFilter } from '../../server/dist/features/filter-language/read.js';
import { Subjects } from '../../server/dist/features/filter-language/subjects.js';
import { callJson } from '../../server/test/process/tenant.js';
import { withClient } from './messages-compare.js';
import { untilAnswered } from './messages-queuer.js';
import { proveUnderFire } from './under-fire.js';

export const claim =
  'every dynamic list equals a count from scratch after writes, edits of filters, windows that close, and kills of anything';

const writers = 4;
const ownContacts = 15;
const orgs = ['o1', 'o2', 'o3'];
const plans = ['free', 'pro', 'team'];
const names = ['login', 'export', 'invite'];

/** @template T @param {readonly T[]} all @returns {T} */
const one = (all) => /** @type {T} */ (all[Math.floor(Math.random() * all.length)]);
const upTo = (/** @type {number} */ n) => Math.floor(Math.random() * (n + 1));

/** @param {{ rounds: number, say: (line: string) => void }} options */
export function prove(options) {
  return proveUnderFire(options, {
    what: 'changes',
    hire: async ({ url, token }) => {
      const staticListId = await prepare(url, token);
      const crew = Array.from({ length: writers }, (_, i) => new Writer(url, token, i, staticListId));
      return [...crew, new Editor(url, token, staticListId)];
    },
    compare: compareLists,
  });
}

/** Sends one change after the other; a change without a response may or may not have happened, and either is fine here. */
class Member {
  acknowledged = 0;
  #stopped = false;

  /**
   * @param {string} url
   * @param {string} token
   */
  constructor(url, token) {
    this.url = url;
    this.token = token;
  }

  stop() {
    this.#stopped = true;
  }

  async run() {
    while (!this.#stopped) await this.change();
  }

  async change() {}

  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   */
  async send(method, path, body) {
    const reply = await callJson(this.url + path, { token: this.token, method, body }).catch(() => undefined);
    if (reply?.status === 200) this.acknowledged++;
    else if (reply && reply.status !== 503 && reply.status !== 404 && reply.status !== 400 && reply.status !== 409)
      throw new Error(`${method} ${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
    else await sleep(10);
    return reply?.status === 200 ? reply.body.data : undefined;
  }
}

class Writer extends Member {
  /** @type {Map<string, string>} */
  #ids = new Map();

  /**
   * @param {string} url
   * @param {string} token
   * @param {number} index
   * @param {string} staticListId
   */
  constructor(url, token, index, staticListId) {
    super(url, token);
    this.index = index;
    this.staticListId = staticListId;
  }

  /** @override */
  async change() {
    const email = `w${this.index}-${upTo(ownContacts - 1)}@example.com`;
    const chance = Math.random();
    if (chance < 0.35) {
      const properties = { plan: one([...plans, null]), seats: upTo(5), renews: soon() };
      await this.send('POST', '/v2/contacts/batch', { contacts: [{ email, properties }] });
    } else if (chance < 0.6) {
      const events = [{ email, eventName: one(names), eventDate: soon(), eventProperties: { n: upTo(3) } }];
      await this.send('POST', '/v2/events', { events });
    } else if (chance < 0.72) {
      const orgIds = orgs.filter(() => Math.random() < 0.3);
      await this.send('POST', '/v2/users', { email, userId: `u-${email}`, orgIds, properties: { role: one(plans) } });
    } else if (chance < 0.78) await this.send('DELETE', `/v2/organizations/${one(orgs)}/members/u-${email}`);
    else if (chance < 0.8) await this.send('DELETE', `/v2/users/u-${email}`);
    else if (chance < 0.86)
      await this.send('PATCH', `/v2/organizations/${one(orgs)}`, { properties: { tier: one(plans) } });
    else await this.#withContact(email, chance);
  }

  /**
   * @param {string} email
   * @param {number} chance
   */
  async #withContact(email, chance) {
    const id = this.#ids.get(email) ?? (await this.send('GET', `/v2/contacts/by-email/${email}`))?.id;
    if (!id) return;
    this.#ids.set(email, id);
    const members = `/v2/lists/${this.staticListId}/members`;
    if (chance < 0.93) await this.send('POST', members, { contactIds: [id] });
    else if (chance < 0.98) await this.send('DELETE', `${members}/${id}`);
    else {
      await this.send('DELETE', `/v2/contacts/${id}`);
      this.#ids.delete(email);
    }
  }
}

class Editor extends Member {
  /** @type {string[]} */
  #lists = [];

  /**
   * @param {string} url
   * @param {string} token
   * @param {string} staticListId
   */
  constructor(url, token, staticListId) {
    super(url, token);
    this.staticListId = staticListId;
  }

  /** @override */
  async change() {
    const filter = this.#filter();
    if (this.#lists.length < 12) {
      const made = await this.send('POST', '/v2/dynamic-lists', { name: `List ${this.acknowledged}`, filter });
      if (made) this.#lists.push(made.dynamicListId);
    } else if (Math.random() < 0.9) await this.send('PATCH', `/v2/dynamic-lists/${one(this.#lists)}`, { filter });
    else {
      const gone = one(this.#lists);
      if (await this.send('DELETE', `/v2/dynamic-lists/${gone}`)) this.#lists = this.#lists.filter((id) => id !== gone);
    }
    await sleep(50 + upTo(200));
  }

  #filter() {
    const parts = [
      { property: 'plan', is: one(plans) },
      { property: 'plan', isNot: one(plans) },
      { property: 'seats', gte: upTo(5) },
      { property: 'renews', withinNext: 'PT5S' },
      { property: 'renews', notWithinLast: 'PT4S' },
      { property: 'plan', hasEverBeen: one(plans) },
      { userProperty: 'role', is: one(plans) },
      { orgProperty: 'tier', is: one(plans) },
      { orgMembers: { where: { property: 'plan', is: one(plans) }, atLeast: 1 + upTo(3) } },
      { orgMembers: { where: { event: one(names), withinLast: 'PT6S' }, atMost: upTo(3) } },
      { event: one(names), atLeast: 1 + upTo(3), withinLast: 'PT6S' },
      { event: one(names), exactly: upTo(3) },
      { event: one(names), measure: 'sum', of: 'n', gt: upTo(5) },
      { sequence: [{ event: one(names) }, { event: one(names), within: 'PT4S', not: true }], withinLast: 'PT20S' },
      { staticListId: this.staticListId },
      { bucket: { seed: 's', of: 10, from: 0, to: upTo(9) } },
      ...(this.#lists.length > 0 ? [{ dynamicListId: one(this.#lists) }] : []),
    ];
    return { [one(['all', 'any', 'none'])]: [one(parts), one(parts)] };
  }
}

const soon = () => new Date(Date.now() - 5000 + upTo(10_000)).toISOString();

/**
 * @param {string} url
 * @param {string} token
 */
async function prepare(url, token) {
  for (const orgId of orgs)
    await callJson(`${url}/v2/organizations`, { token, method: 'POST', body: { orgId, name: orgId } });
  const { body } = await callJson(`${url}/v2/lists`, { token, method: 'POST', body: { name: 'Chosen' } });
  return body.data.staticListId;
}

/** @param {import('./under-fire.js').Place} place */
export async function compareLists({ url, token, connection }) {
  // The last kill may have hit the database.
  await untilAnswered(() => callJson(`${url}/v2/lists`, { token }));
  return withClient(clientConfig(/** @type {any} */ (connection)), async (client) => {
    await quiet(client);
    return recountLists(client);
  });
}

/** @param {import('pg').Client} client */
async function recountLists(client) {
  const { rows: lists } = await client.query(
    'select tenant_id, list_id, list_no, filter from dynamic_list where deleted_at is null',
  );
  const problems = [];
  for (const { tenant_id: tenantId, list_no: listNo, filter } of lists) {
    const { rows: stored } = await client.query('select contact_id from dynamic_member where list_no = $1', [listNo]);
    const now = sql`clock_timestamp()`;
    const { joins, holds } = compile(readFilter(filter, new Subjects([])), { tenantId, now, scope: () => sql`true` });
    const all = sql`select c.contact_id from contact c ${joins} where c.tenant_id = ${tenantId} and ${holds}`;
    const { rows: found } = await client.query(all.text, all.values);
    const [a, b] = [stored, found].map((rows) =>
      rows
        .map((row) => row.contact_id)
        .sort()
        .join(),
    );
    if (a !== b)
      problems.push(`${JSON.stringify(filter)}: ${stored.length} members, ${found.length} by a count from scratch`);
    const { rows: counted } = await client.query(
      `select coalesce(sum(delta), 0)::int as n from counter_delta where counter = 'dynamic_members:' || $1::integer`,
      [listNo],
    );
    if (counted[0].n !== stored.length) problems.push(`${listNo} counts ${counted[0].n} of ${stored.length} members`);
  }
  return lists.length === 0 ? ['there is no list to compare'] : problems;
}

/**
 * Nothing waits any more, and no open window closes: the longest lasts 20 s.
 * @param {import('pg').Client} client
 */
async function quiet(client) {
  for (let still = 0; still < 5; ) {
    const { rows } = await client.query(`
      select (select count(*) from write_transaction where status = 'PENDING')
        + (select count(*) from audience_change) + (select count(*) from audience_org_change)
        + (select count(*) from dynamic_due) + (select count(*) from dynamic_list where not is_built and deleted_at is null) as n`);
    still = Number(rows[0].n) === 0 ? still + 1 : 0;
    await sleep(100);
  }
}
