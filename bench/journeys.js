// Journeys against bare limits, in one run: a batch with one email, a trigger journey without mail, and many waiting contacts.
import { setTimeout as sleep } from 'node:timers/promises';
import { postgresPids } from '../server/test/process/postgres-processes.js';
import { callJson, makeTenant } from '../server/test/process/tenant.js';
import { bareTrigger } from './bare-trigger.js';
import { besideMailer } from './beside-mailer.js';
import { bareCopy, seedUsers } from './events.js';
import { manyWaiting } from './journeys-waiting.js';
import { compare, load, untilDone } from './measure.js';
import { cpuSecondsOf, median } from './processes.js';
import { startSender } from './sender.js';
import { startSinkProcess } from './sink-process.js';

const contacts = Number(process.env.BENCH_CONTACTS ?? 100_000);
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
// Rounds in which all contacts get a message; one more warms up.
const turns = 5;
const connections = 10;
// Seconds during which events arrive.
const seconds = Number(process.env.BENCH_SECONDS ?? 4);

/** @typedef {Awaited<ReturnType<typeof startSender>>} Place */

/** @param {(line: string) => void} say */
export async function bench(say) {
  const sink = await startSinkProcess();
  try {
    const place = await startSender(sink, { contacts: contacts + Math.ceil(contacts / turns), connections });
    for (const [name, part] of Object.entries({ batch, trigger, waiting: manyWaiting }))
      if ((process.env.BENCH_PART ?? name) === name) await part(place, say);
    await place.client.end();
    await place.service.stop();
  } finally {
    await sink.stop();
  }
}

/**
 * A run over a list, from the request that activates it until the ledger shows every message as sent.
 * @param {Place} place
 * @param {(line: string) => void} say
 */
async function batch(place, say) {
  const each = Math.ceil(contacts / turns);
  /** @type {number[]} */ const enrolled = [];
  await besideMailer(place, say, {
    ...{ turns, each, connections, goal: 0.65 },
    what: () =>
      `messages/s of a batch journey, ${contacts.toLocaleString('en')} contacts in ${turns} runs, ${connections} connections, enrolment included`,
    warmUp: () => runBatch(place, 0, each),
    round: async (turn) => {
      const run = await runBatch(place, turn * each, each);
      enrolled.push(run.enrolledMs);
      return run.perSecond;
    },
    also: () =>
      `all ${each.toLocaleString('en')} of a run were enrolled after ${enrolled.map(Math.round).join(', ')} ms`,
  });
}

/**
 * @param {Place} place
 * @param {number} from The first contact's number.
 * @param {number} count
 */
async function runBatch(place, from, count) {
  const { client, sink, tenantId, emailId } = place;
  const { staticListId } = await post(place, '/v2/lists', { name: `Contacts from ${from}` });
  await client.query(
    `insert into list_member (tenant_id, list_id, contact_id)
     select tenant_id, $2, contact_id from contact
     where tenant_id = $1 and email = any(select 'p' || n || '@example.com' from generate_series($3::int, $4::int) n)`,
    [tenantId, Buffer.from(staticListId, 'hex'), from, from + count - 1],
  );
  await client.query('analyze list_member');
  const entry = { audience: { staticListId } };
  const definition = { entry, steps: [{ id: 'mail', type: 'sendEmail', emailId }] };
  const { journeyId } = await post(place, '/v2/journeys', { name: `From ${from}`, type: 'batch', definition });
  await sink.reset();
  const start = performance.now();
  await post(place, `/v2/journeys/${journeyId}/activate`);
  let enrolledMs = 0;
  const id = Buffer.from(journeyId, 'hex');
  while ((await sink.count()) < count) {
    await sleep(20);
    if (enrolledMs > 0) continue;
    const open = await client.query(
      `select 1 from journey where tenant_id = $1 and journey_id = $2 and state = 'active'`,
      [...[tenantId, id]],
    );
    if (open.rows.length === 0) enrolledMs = performance.now() - start;
  }
  const isOpen = async () =>
    (
      await client.query(`select 1 from message where tenant_id = $1 and state in ('queued', 'sending') limit 1`, [
        tenantId,
      ])
    ).rows.length > 0;
  while (await isOpen()) await sleep(5);
  const took = performance.now() - start;
  await untilDone(client, tenantId);
  return { perSecond: count / (took / 1000), enrolledMs };
}

/** Each event starts an enrolment: a branch, a property write, and the exit. */
export const answeringEvents = {
  entry: { event: { eventName: 'report_exported' } },
  steps: [
    {
      id: 'which',
      type: 'branch',
      cases: [{ filter: { property: 'last_rows', gte: 500 }, next: 'set' }],
      otherwise: 'set',
    },
    { id: 'set', type: 'updateProperty', property: 'last_rows', value: { entry: 'rows' } },
    { id: 'out', type: 'exit' },
  ],
  reentry: 'always',
};

/**
 * Event, branch, update, exit; from the first event until no enrolment is active and nothing waits.
 * @param {Place} place
 * @param {(line: string) => void} say
 */
async function trigger(place, say) {
  const { client, service, tenantId, token, dataDir } = place;
  // As many as contacts: with fewer, each contact would have many enrolments at once.
  const users = contacts;
  await seedUsers(client, tenantId, users);
  const { journeyId } = await post(place, '/v2/journeys', {
    name: 'Trigger',
    type: 'trigger',
    definition: answeringEvents,
  });
  await post(place, `/v2/journeys/${journeyId}/activate`);
  const since = Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth(), 1);
  const count = async () => {
    const { rows } = await client.query(
      `select count(*)::int as n from enrolment e join journey j using (tenant_id, journey_no) where tenant_id = $1 and journey_id = $2`,
      [tenantId, Buffer.from(journeyId, 'hex')],
    );
    return rows[0].n;
  };
  /** @type {number[]} */ const ours = [];
  /** @type {number[]} */ const limit = [];
  /** @type {number[]} */ const fair = [];
  const bare = await makeTenant(service);
  await seedUsers(client, bare.tenantId, users);
  const costs = async () => [
    await cpuSecondsOf([service.pid]),
    await cpuSecondsOf(await postgresPids(dataDir), { withEnded: true }),
  ];
  const queued = async () => {
    const { rows } = await client.query(
      `select coalesce(sum(items), 0)::int as n from write_transaction where tenant_id = $1 and kind = 'journey.effects'`,
      [tenantId],
    );
    return rows[0].n;
  };
  const spent = [0, 0];
  for (let round = 0; round < rounds; round++) {
    limit.push(await bareCopy(client, { tenantId: tenantId + 1000, since, session: 1 }, 100_000));
    fair.push(await bareTrigger(client, { tenantId: bare.tenantId, journeyNo: 1, since, users }, 50_000));
    const entered = await count();
    const before = await costs();
    const start = performance.now();
    const how = { body: 'events', connections: 8, users, since, session: 1, withIds: false, seconds };
    await load(service.url, '/v2/events', token, how);
    await untilQuiet(place);
    ours.push(((await count()) - entered) / ((performance.now() - start) / 1000));
    for (const [i, time] of (await costs()).entries()) spent[i] = (spent[i] ?? 0) + time - (before[i] ?? 0);
  }
  const all = await count();
  const [ofService, ofDatabase] = spent.map((time) => Math.round((time / all) * 1e6));
  compare(say, 'enrolments/s: event, branch, update, exit', ours, limit, 'COPY of the events', 0.12);
  compare(say, 'the same', ours, fair, 'one connection that writes the rows of these enrolments', 0.5);
  say(
    `${all.toLocaleString('en')} enrolments; processor time each: service ${ofService} µs, ` +
      `database ${ofDatabase} µs; ${(await queued()).toLocaleString('en')} wrote by way of the queue`,
  );
  await sayDelay(place, say, median(ours) / 2, { users, since });
  await post(place, `/v2/journeys/${journeyId}/deactivate`);
}

/**
 * From the request with an event until its enrolment is committed, beside others at a steady rate.
 * @param {Place} place
 * @param {(line: string) => void} say
 * @param {number} perSecond Events.
 * @param {{ users: number, since: number }} how
 */
async function sayDelay(place, say, perSecond, { users, since }) {
  const { client, service, tenantId, token } = place;
  const beside = 50;
  const how = { body: 'events', connections: 8, users, since, session: 1, withIds: false, seconds: 10, each: beside };
  const others = load(service.url, '/v2/events', token, { ...how, perSecond: perSecond / beside });
  let isOver = false;
  void others.finally(() => {
    isOver = true;
  });
  /** @type {number[]} */ const took = [];
  // Not among the users of the load.
  for (let n = 0; !isOver; n++) {
    const email = `probe${n}@example.com`;
    await client.query(
      `insert into contact (tenant_id, contact_id, email, properties, search_text, created_at, updated_at)
       values ($1, gen_random_uuid(), $2, '{}', $2, now(), now())`,
      [tenantId, email],
    );
    const start = performance.now();
    await post(place, '/v2/events', {
      events: [{ email, eventName: 'report_exported', eventProperties: { rows: 1 } }],
    });
    const entered = `select 1 from contact c join enrolment e using (tenant_id, contact_id) where c.tenant_id = $1 and c.email = $2`;
    while ((await client.query(entered, [tenantId, email])).rows.length === 0) await sleep(2);
    took.push(performance.now() - start);
  }
  await others;
  await untilQuiet(place);
  took.sort((a, b) => a - b);
  const [p50, p99] = [0.5, 0.99].map((p) => Math.round(took[Math.floor(took.length * p)] ?? 0));
  say(
    `event to first step at ${Math.round(perSecond)} a second, ${took.length} looked at: p50 ${p50} ms, p99 ${p99} ms (goal: under 100 and 500)`,
  );
}

/** @param {Place} place */
async function untilQuiet({ client, tenantId }) {
  const left = `select 1 where exists (select from write_transaction where tenant_id = $1 and status = 'PENDING')
    or exists (select from journey_news where tenant_id = $1)
    or exists (select from enrolment where tenant_id = $1 and state = 'active')`;
  while ((await client.query(left, [tenantId])).rows.length > 0) await sleep(10);
}

/**
 * @param {{ service: { url: string }, token: string }} place
 * @param {string} path
 * @param {unknown} [body]
 */
async function post({ service, token }, path, body) {
  const reply = await callJson(service.url + path, { token, method: 'POST', ...(body === undefined ? {} : { body }) });
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply.body.data;
}
