// The final checks of the messages proof: the mail server, the ledger, contacts' timelines and the figures must agree.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { callJson } from '../../server/test/process/tenant.js';
import { untilAnswered } from './messages-queuer.js';

// Milliseconds. A failed attempt is repeated after a minute and a quarter at most.
const patience = 150_000;
const told = 5;

const leftOfMessages = `
  select (select count(*)::int from message where state in ('queued', 'sending')) as messages,
    (select count(*)::int from write_transaction where status = 'PENDING') as writes`;

/**
 * Waits for as long as anything changes.
 * @param {import('./under-fire.js').Place} place
 * @param {(line: string) => void} say
 * @param {string} [left] A query that counts in one row what is left to do.
 */
export async function untilAllEnded({ connection }, say, left = leftOfMessages) {
  return withClient(connection, async (client) => {
    const start = performance.now();
    let [before, since] = ['', start];
    for (;;) {
      const { rows } = await client.query(left);
      if (Object.values(rows[0]).every((count) => count === 0)) {
        say(`all had ended ${((performance.now() - start) / 1000).toFixed(1)} s after the last kill`);
        return [];
      }
      const now = JSON.stringify(rows[0]);
      if (now !== before) [before, since] = [now, performance.now()];
      else if (performance.now() - since > patience) return [`it stands still with ${now} left`];
      await sleep(50);
    }
  });
}

/**
 * @param {import('./under-fire.js').Place} place
 * @param {import('./messages-queuer.js').MessageQueuer[]} crew
 * @param {string[]} arrived Message-IDs.
 * @param {number} mostRepeats
 */
export async function compareMessages(place, crew, arrived, mostRepeats) {
  const { ledger, problems, found } = await compareLedger(place, arrived, mostRepeats);
  const acknowledged = crew.flatMap(({ ids }) => ids);
  problems.push(
    ...some('was acknowledged and is not in the ledger', acknowledged, (id) => !ledger.has(id)),
    ...some('was acknowledged twice', acknowledged, (id, i) => acknowledged.indexOf(id) !== i, 'distinct'),
  );
  const unsure = crew.reduce((sum, member) => sum + member.unsure, 0);
  const extra = ledger.size - new Set(acknowledged).size;
  if (extra > unsure) problems.push(`${extra} messages more than were acknowledged, ${unsure} are unsure`);
  return { problems, found: `${found}, ${extra} were queued although the request got no answer` };
}

/**
 * Compares what arrived with the ledger, whatever queued it.
 * @param {import('./under-fire.js').Place} place
 * @param {string[]} arrived Message-IDs.
 * @param {number} mostRepeats
 */
export async function compareLedger({ url, token, connection }, arrived, mostRepeats) {
  const { ledger, checks } = await withClient(connection, async (client) => ({
    ledger: await readLedger(client),
    checks: await readChecks(client),
  }));
  const arrivals = countArrivals(arrived);
  const { pagination } = await untilAnswered(() => callJson(`${url}/v2/messages?pageSize=1`, { token }));
  const twice = [...arrivals].filter(([, count]) => count > 1).map(([id]) => id);
  const problems = [
    ...some('is not sent', [...ledger.keys()], (id) => ledger.get(id)?.state !== 'sent'),
    ...some('never arrived', [...ledger.keys()], (id) => !arrivals.has(id)),
    ...some('arrived and is in no ledger', [...arrivals.keys()], (id) => !ledger.has(id)),
    ...some('has not one attempt that sent it', [...ledger.keys()], (id) => ledger.get(id)?.sent !== 1),
    ...some(
      'arrived more often than its timeline says',
      twice,
      (id) => (arrivals.get(id) ?? 0) - 1 > (ledger.get(id)?.repeated ?? 0) + (ledger.get(id)?.others ?? 0),
    ),
    ...Object.entries(checks).flatMap(([what, n]) => (n === 0 ? [] : [`${what}: ${n}`])),
  ];
  const repeats = arrived.length - arrivals.size;
  if (repeats > mostRepeats) problems.push(`${repeats} came again, ${mostRepeats} at most may have`);
  const { totalElements } = pagination;
  if (totalElements !== ledger.size) problems.push(`totalElements says ${totalElements} of ${ledger.size}`);
  const rows = [...ledger.values()];
  const interrupted = rows.filter(({ repeated }) => repeated > 0).length;
  const deferred = rows.reduce((sum, { others }) => sum + others, 0);
  const found =
    `${arrivals.size} messages arrived, ${repeats} of them again (at most ${mostRepeats} may); ` +
    `${interrupted} were interrupted, ${deferred} attempts failed`;
  return { ledger, problems, found };
}

/**
 * A line for those that are not as they should be.
 * @param {string} what
 * @param {string[]} ids
 * @param {(id: string, i: number) => boolean} isWrong
 * @param {'distinct'} [how] All of them in one check, because the list is long.
 */
export function some(what, ids, isWrong, how) {
  if (how === 'distinct' && new Set(ids).size === ids.length) return [];
  const wrong = ids.filter(isWrong);
  if (wrong.length === 0) return [];
  return [`${wrong.length} of ${ids.length}: ${what} (${wrong.slice(0, told).join(', ')})`];
}

/** @param {string[]} headers As they were in the mails: `<id@domain>`. */
function countArrivals(headers) {
  /** @type {Map<string, number>} */
  const arrivals = new Map();
  for (const header of headers) {
    // One that arrived under another domain would have another Message-ID, which is in no ledger.
    const id = /^<([0-9a-f]{32})@example\.com>$/.exec(header)?.[1] ?? header;
    arrivals.set(id, (arrivals.get(id) ?? 0) + 1);
  }
  return arrivals;
}

/**
 * Every message: its state, the attempts that sent it, the others, and how often its timeline says that it was repeated.
 * @param {pg.Client} client
 * @returns {Promise<Map<string, { state: string, sent: number, others: number, repeated: number }>>}
 */
async function readLedger(client) {
  const { rows } = await client.query(`
    select replace(message_id::text, '-', '') as id, m.state, coalesce(a.sent, 0) as sent, coalesce(a.others, 0) as others,
      coalesce(e.repeated, 0) as repeated
    from message m
    left join (
      select message_id, count(*) filter (where outcome = 'sent')::int as sent, count(*) filter (where outcome <> 'sent')::int as others
      from message_attempt group by message_id
    ) a using (message_id)
    left join (select message_id, count(*)::int as repeated from message_event where what = 'repeated' group by message_id) e
      using (message_id)`);
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

/**
 * Numbers that must be zero.
 * @param {pg.Client} client
 * @returns {Promise<Record<string, number>>}
 */
async function readChecks(client) {
  const timeline = `select contact_id, event_date from marketing_activity where event_name = 'sent'`;
  const sent = 'select contact_id, sent_at from message';
  const { rows } = await client.query(`
    select (select count(*)::int from (${sent} except all ${timeline}) x) as "sent, and not on the contact's timeline",
      (select count(*)::int from (${timeline} except all ${sent}) x) as "on a contact's timeline, and not sent",
      (select count(*)::int from marketing_activity where event_name <> 'sent') as "on a timeline, although it did not happen",
      ((select coalesce(sum(events), 0) from marketing_activity_count) - (select count(*) from message))::int as "counts of timelines differ by",
      ((select coalesce(sum(sent), 0) from sending_tally) - (select count(*) from message))::int as "sent in the tally differs by",
      (select count(*)::int from message where lease is not null or lease_until is not null) as "still leased"`);
  return rows[0];
}

/**
 * @template T
 * @param {pg.ClientConfig} connection
 * @param {(client: pg.Client) => Promise<T>} use
 */
export function withClient(connection, use) {
  return persist(async () => {
    const client = new pg.Client(connection);
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await use(client);
    } finally {
      await client.end().catch(() => undefined);
    }
  });
}

/**
 * Reads from the database until nothing interrupts it: the last kill may have hit it, a standby takes over only after some seconds, and a balancer
 * ends the connections to a server that is too busy to say how it is.
 * @template T
 * @param {() => Promise<T>} read
 */
export async function persist(read) {
  for (let tries = 1; ; tries++) {
    try {
      return await read();
    } catch (error) {
      if (tries === 120) throw error;
      await sleep(500);
    }
  }
}
