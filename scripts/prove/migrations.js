// Migrations on tables of millions of rows, while others use those tables and a report holds them for seconds: how long anybody has to wait.
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../server/dist/db/embedded/index.js';
import { migrate, readMigrations } from '../../server/dist/db/migrate.js';
import { makeDataDir } from '../../server/test/process/service.js';

export const claim = `migrations from 0030 on keep no read or write of a table with millions of rows waiting longer than a second`;
export const defaults = { contacts: 5_000_000 };

// The one before rewrites messages, as docs/operations.md says.
const firstJudged = 30;
const mostMs = 1000;
const probeEveryMs = 20;
const lookEveryMs = 50;
const report = { heldMs: 3000, pauseMs: 1500 };
const silent = { info: () => undefined, warn: () => undefined };

const id = (/** @type {string} */ first) => `lpad(to_hex(n), 32, '${first}')::uuid`;
const asset = `decode(repeat('ab', 12), 'hex')::asset_id`;
const when = `now() - n * interval '1 second'`;
/** What a row of each table is made of, by the version that has the table. */
const fillings = {
  before: {
    contact: [
      'tenant_id, contact_id, email, properties, created_at, updated_at, search_text',
      `1, ${id('0')}, 'c' || n || '@example.com', '{"plan":"pro"}', now(), now(), 'c' || n`,
    ],
    message: [
      'tenant_id, message_id, kind, state, contact_id, address, email_id, queued_at, sent_at, delivered_at',
      `1, ${id('0')}, 'direct', 'delivered', ${id('0')}, 'c' || n || '@example.com', ${asset}, ${when}, ${when}, ${when}`,
    ],
    message_event: ['tenant_id, message_id, at, what', `1, ${id('0')}, ${when}, 'delivered'`],
    marketing_activity: [
      'tenant_id, contact_id, event_date, event_no, event_name',
      `1, ${id('0')}, now() - n * interval '1 millisecond', n, 'sent'`,
    ],
    event: [
      'tenant_id, contact_id, event_date, event_no, event_name',
      `1, ${id('0')}, now() - n * interval '1 millisecond', n, 'login'`,
    ],
    list_member: ['tenant_id, list_id, contact_id', `1, ${asset}, ${id('0')}`],
    enrolment: [
      'tenant_id, enrolment_id, journey_no, version, contact_id, state, entered_at, ended_at',
      `1, ${id('0')}, 1, 1, ${id('0')}, 'completed', ${when}, now()`,
    ],
    enrolment_turn: ['tenant_id, enrolment_id, at, lines', `1, ${id('0')}, ${when}, '[["entered"]]'`],
    suppression: [
      'tenant_id, address_hash, address, reason',
      `1, decode(lpad(to_hex(n), 64, '0'), 'hex'), 'c' || n || '@example.com', 'bounced'`,
    ],
  },
  after: {
    contact_topic: [
      'tenant_id, contact_id, topic_id, state, since, source',
      `1, ${id('0')}, ${asset}, 'subscribed', now(), 'api'`,
    ],
    consent_log: [
      'tenant_id, contact_id, at, topic_id, state, source',
      `1, ${id('0')}, now(), ${asset}, 'subscribed', 'api'`,
    ],
  },
};
const tables = [...Object.keys(fillings.before), ...Object.keys(fillings.after)];

/** @param {{ contacts?: number, say: (line: string) => void }} options */
export async function prove({ contacts: rows = defaults.contacts, say }) {
  const dataDir = await makeDataDir();
  const database = await startEmbeddedPostgres({ dataDir, log: silent });
  try {
    return await watchMigrations(database.connection, rows, say);
  } finally {
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/**
 * @param {import('../../server/dist/db/connect.js').Connection} connection
 * @param {number} rows
 * @param {(line: string) => void} say
 */
async function watchMigrations(connection, rows, say) {
  const client = await connected(connection);
  await migrate(connection, { upTo: firstJudged - 2 });
  await fill(client, fillings.before, rows, say);
  const began = Date.now();
  await migrate(connection, { upTo: firstJudged - 1 });
  say(`0029-consent, which rewrites messages and activity: ${seconds(Date.now() - began)}`);
  await fill(client, fillings.after, rows, say);
  await client.query('vacuum analyze');
  await client.end();

  const watch = new Watch(connection);
  await watch.start();
  const last = (await readMigrations()).at(-1)?.version ?? 0;
  const problems = [];
  for (let version = firstJudged; version <= last; version++) {
    const [name] = await migrate(connection, { upTo: version, say: (doing) => say(`  ${doing.slice(0, 100)}`) });
    const { ms, table, behind } = watch.take();
    say(`${name}: nobody waited longer than ${ms} ms${ms > 100 ? ` for ${table}, behind: ${behind}` : ''}`);
    if (ms > mostMs) problems.push(`${name}: a request would have waited ${ms} ms for ${table}, behind: ${behind}`);
  }
  await watch.stop();
  const summary = `${tables.length} tables of ${rows} rows, ${last - firstJudged + 1} migrations, ${watch.probes} probes, ${watch.reports} reports of ${report.heldMs} ms`;
  return { summary, problems };
}

/** @param {import('../../server/dist/db/connect.js').Connection} connection */
async function connected(connection) {
  const client = new pg.Client(connection);
  await client.connect();
  return client;
}

/**
 * @param {pg.Client} client
 * @param {Record<string, string[]>} filling
 * @param {number} rows
 * @param {(line: string) => void} say
 */
async function fill(client, filling, rows, say) {
  // Rows without what they refer to: only their number matters.
  await client.query('set session_replication_role = replica; set synchronous_commit = off');
  for (const [table, [columns, values]] of Object.entries(filling)) {
    const began = Date.now();
    await client.query(`insert into ${table} (${columns}) select ${values} from generate_series(1, ${rows}) n`);
    say(`${table}: ${rows} rows in ${seconds(Date.now() - began)}`);
  }
}

const seconds = (/** @type {number} */ ms) => `${(ms / 1000).toFixed(1)} s`;

/** Takes the lock of a write on every table, again and again, and a report's lock on all of them for seconds. */
class Watch {
  probes = 0;
  reports = 0;
  #connection;
  #over = false;
  /** @type {Promise<void>[]} */ #running = [];
  #longest = { ms: 0, table: '', behind: '' };
  /** @type {Map<string, string>} The statement that was last seen before each table. */ #behind = new Map();

  /** @param {import('../../server/dist/db/connect.js').Connection} connection */
  constructor(connection) {
    this.#connection = connection;
  }

  async start() {
    const one = () => connected(this.#connection);
    this.#running = [this.#report(await one()), this.#look(await one())];
    for (const table of tables) this.#running.push(this.#probe(await one(), table));
  }

  /** The longest wait since the last call. */
  take() {
    const longest = this.#longest;
    this.#longest = { ms: 0, table: '', behind: '' };
    this.#behind.clear();
    return longest;
  }

  async stop() {
    this.#over = true;
    await Promise.all(this.#running);
  }

  /**
   * @param {pg.Client} client
   * @param {string} table
   */
  async #probe(client, table) {
    while (!this.#over) {
      const began = performance.now();
      await client.query(`begin; lock table ${table} in row exclusive mode; rollback`);
      const ms = Math.round(performance.now() - began);
      this.probes++;
      if (ms > this.#longest.ms)
        this.#longest = { ms, table, behind: this.#behind.get(table) ?? 'nothing that was seen' };
      await sleep(probeEveryMs);
    }
    await client.end();
  }

  /**
   * Sees what keeps probes waiting.
   * @param {pg.Client} client
   */
  async #look(client) {
    while (!this.#over) {
      const { rows } = await client.query(
        `select l.relation::regclass::text as table, b.query from pg_locks l
         cross join lateral unnest(pg_blocking_pids(l.pid)) as p join pg_stat_activity b on b.pid = p
         where not l.granted and l.locktype = 'relation' and l.mode = 'RowExclusiveLock'`,
      );
      for (const { table, query } of rows) this.#behind.set(table, query.replace(/\s+/g, ' ').slice(0, 120));
      await sleep(lookEveryMs);
    }
    await client.end();
  }

  /** @param {pg.Client} client */
  async #report(client) {
    while (!this.#over) {
      await client.query(`begin; ${tables.map((table) => `select from ${table} limit 1`).join('; ')}`);
      await sleep(report.heldMs);
      await client.query('rollback');
      this.reports++;
      await sleep(report.pauseMs);
    }
    await client.end();
  }
}
