// Events that each start a journey, for hours, at half the rate that was reached, while a forgotten transaction holds the oldest
// snapshot: nothing that is updated or deleted meanwhile can be vacuumed.
//
// Dead rows then pile up by nature, so their number cannot be the measure. What counts is that they do not slow down what reads past them:
// the rate holds, an event gets its response as soon as in the first minute, and what piles up is in proportion to what was written. That
// would not be so if the search for due work walked over everything that was ever done.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { seedUsers } from '../../bench/events.js';
import { freePort } from '../../bench/free-port.js';
import { answeringEvents } from '../../bench/journeys.js';
import { load } from '../../bench/measure.js';
import { childrenOf, median, memoryOf } from '../../bench/processes.js';
import { clientConfig } from '../../server/dist/db/connect.js';
import { connectionOf, postgresPids } from '../../server/test/process/postgres-processes.js';
import { cleanUp, makeDataDir, startService } from '../../server/test/process/service.js';
import { callJson, makeTenant } from '../../server/test/process/tenant.js';

export const claim =
  'hours of events that start journeys leave rate, answers and memory as they were, with a snapshot held from before the first (10 minutes; SOAK_MINUTES=180 for the long form)';

const minutes = Number(process.env.SOAK_MINUTES ?? 10);
// Each is changed by every event of theirs. PostgreSQL walks along the dead versions of a row that it looks up: with few users that would be
// what is measured.
const users = 100_000;
const inRequest = 500;
// Measures the speed: seconds with as many events as it takes.
const reachSeconds = 5;
const probeEveryMs = 3000;
const limits = { rate: 0.95, answer: 2, answerMs: 100, dead: 1.5, memory: 1.25, memoryMb: 64 };
const { eventName } = answeringEvents.entry.event;

/** @typedef {{ rate: number, answer: number, dead: number, deadEach: number, megabytes: number, service: number, database: number }} Minute */

/** @param {{ say: (line: string) => void }} options */
export async function prove({ say }) {
  if (!Number.isInteger(minutes) || minutes < 2) throw new Error('SOAK_MINUTES must be a whole number from 2 on.');
  try {
    const place = await start();
    const reached = await reach(place);
    say(`reached ${Math.round(reached)} enrolments a second; half of that for ${minutes} minutes`);
    const holder = await holdSnapshot(place);
    const found = await soak(place, reached / 2, say);
    // The snapshot must have been held to the end.
    const { rows } = await holder.query('select count(*)::int as n from enrolment');
    const problems = judge(found);
    if (rows[0].n !== 0) problems.push('the snapshot was not held');
    await holder.end();
    await place.client.end();
    await place.service.stop();
    return { summary: `${minutes} minutes at ${Math.round(found[0]?.rate ?? 0)} enrolments a second`, problems };
  } finally {
    await cleanUp();
  }
}

async function start() {
  const dataDir = await makeDataDir();
  const env = { PORT: String(await freePort()), DEMO: 'off' };
  const service = await startService({ dataDir, env, discardOutput: true });
  const { tenantId, token } = await makeTenant(service);
  const connection = await connectionOf(dataDir);
  const client = new pg.Client(clientConfig(connection));
  client.on('error', () => undefined);
  await client.connect();
  // One more than the load uses: the probe.
  await seedUsers(client, tenantId, users + 1);
  // They are made searchable meanwhile.
  while ((await client.query('select count(*)::int as n from contact_search')).rows[0].n <= users) await sleep(100);
  const post = async (/** @type {string} */ path, /** @type {unknown} */ body) => {
    const reply = await callJson(service.url + path, { token, method: 'POST', body });
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body.data;
  };
  const { journeyId } = await post('/v2/journeys', { name: 'Soak', type: 'trigger', definition: answeringEvents });
  await post(`/v2/journeys/${journeyId}/activate`, {});
  return { service, dataDir, tenantId, token, connection, client, post };
}
/** @typedef {Awaited<ReturnType<typeof start>>} Place */

/**
 * @param {Place} place
 * @param {number} seconds
 * @param {number} [perSecond] Events; as many as possible by default.
 */
function send({ service, token }, seconds, perSecond) {
  const since = Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth(), 1);
  return load(service.url, '/v2/events', token, {
    ...{
      body: 'events',
      connections: perSecond === undefined ? 8 : 2,
      users,
      since,
      session: 1,
      withIds: false,
      seconds,
    },
    ...(perSecond === undefined ? {} : { perSecond: perSecond / inRequest }),
  });
}

/** Enrolments per second, until nothing is left to do. @param {Place} place */
async function reach(place) {
  const start = performance.now();
  const { answered } = await send(place, reachSeconds);
  await untilQuiet(place);
  return (answered * inRequest) / ((performance.now() - start) / 1000);
}

/** @param {Place} place */
async function untilQuiet({ client, tenantId }) {
  const left = `select 1 where exists (select from write_transaction where tenant_id = $1 and status = 'PENDING')
    or exists (select from journey_news where tenant_id = $1)
    or exists (select from enrolment where tenant_id = $1 and state = 'active')`;
  while ((await client.query(left, [tenantId])).rows.length > 0) await sleep(20);
}

/** Holds a snapshot without any enrolments until the end. @param {Place} place */
async function holdSnapshot({ client, connection }) {
  await client.query('truncate enrolment, enrolment_turn');
  await client.query('vacuum analyze');
  const holder = new pg.Client(clientConfig(connection));
  holder.on('error', () => undefined);
  await holder.connect();
  await holder.query('set idle_in_transaction_session_timeout = 0');
  await holder.query('begin isolation level repeatable read');
  await holder.query('select count(*) from enrolment');
  return holder;
}

/**
 * @param {Place} place
 * @param {number} rate
 * @param {(line: string) => void} say
 */
async function soak(place, rate, say) {
  const sending = send(place, minutes * 60 + 20, rate);
  await sleep(10_000);
  say(
    'minute | enrolments/s | answer ms | dead rows, most in | dead an enrolment | database MB | memory MB: service, database',
  );
  /** @type {Minute[]} */
  const found = [];
  for (let minute = 1; minute <= minutes; minute++) {
    const from = new Date();
    const answers = await probe(place, Date.now() + 60_000);
    const { rows } = await place.client.query(
      `select count(*) filter (where ended_at >= $2 and ended_at < $3)::int as lately, count(*)::int8 as n
       from enrolment where tenant_id = $1`,
      [place.tenantId, from.toISOString(), new Date().toISOString()],
    );
    const seconds = (Date.now() - from.getTime()) / 1000;
    const { dead, most, bytes } = await deadRows(place);
    const pids = [place.service.pid, ...(await childrenOf(place.service.pid))];
    const entry = {
      ...{ rate: rows[0].lately / seconds, answer: median(answers), dead, deadEach: dead / Number(rows[0].n) },
      ...{ megabytes: bytes / 1e6, service: await memoryOf(pids) },
      database: await memoryOf(await postgresPids(place.dataDir)),
    };
    found.push(entry);
    const cells = [minute, entry.rate, entry.answer, `${dead} (${most})`, entry.deadEach.toFixed(2), entry.megabytes];
    const memory = [entry.service, entry.database].map(Math.round).join(', ');
    say([...cells.map((cell) => (typeof cell === 'number' ? Math.round(cell) : cell)), memory].join(' | '));
  }
  await sending;
  return found;
}

/**
 * From one event until its journey has ended, repeated until then. Milliseconds.
 * @param {Place} place
 * @param {number} until
 */
async function probe({ client, tenantId, post }, until) {
  const contactId = users.toString(16).padStart(32, '0');
  const ended = async () => {
    const { rows } = await client.query(
      'select count(*)::int as n from enrolment where tenant_id = $1 and contact_id = $2 and ended_at is not null',
      [tenantId, contactId],
    );
    return rows[0].n;
  };
  const took = [];
  while (Date.now() < until) {
    const before = await ended();
    const start = performance.now();
    const event = {
      userId: `u${users}`,
      eventName,
      eventDate: new Date().toISOString(),
      eventProperties: { rows: before },
    };
    await post('/v2/events', { events: [event] });
    while ((await ended()) === before) await sleep(5);
    took.push(performance.now() - start);
    await sleep(Math.max(0, Math.min(probeEveryMs, until - Date.now())));
  }
  return took;
}

/** In all tables together, and the tables with the most. @param {Place} place */
async function deadRows({ client }) {
  const { rows } = await client.query(
    `select relname as name, n_dead_tup::int8 as dead, pg_total_relation_size(relid)::int8 as bytes from pg_stat_user_tables order by 2 desc`,
  );
  const sum = (/** @type {'dead' | 'bytes'} */ what) => rows.reduce((all, row) => all + Number(row[what]), 0);
  const most = rows.slice(0, 3).map(({ name, dead }) => `${name} ${dead}`);
  return { dead: sum('dead'), bytes: sum('bytes'), most: most.join(', ') };
}

/** @param {Minute[]} found */
function judge(found) {
  const [first, last] = [found[0], found.at(-1)];
  if (!first || !last) return ['nothing was measured'];
  const problems = [];
  if (last.rate < first.rate * limits.rate)
    problems.push(`the rate of the last minute is ${(last.rate / first.rate).toFixed(2)} of the first`);
  if (last.answer > first.answer * limits.answer + limits.answerMs)
    problems.push(
      `an answer took ${Math.round(first.answer)} ms in the first minute, ${Math.round(last.answer)} in the last`,
    );
  if (last.deadEach > first.deadEach * limits.dead)
    problems.push(
      `dead rows grew faster than what was written: ${first.deadEach.toFixed(2)} an enrolment, then ${last.deadEach.toFixed(2)}`,
    );
  for (const of of /** @type {const} */ (['service', 'database']))
    if (last[of] > first[of] * limits.memory + limits.memoryMb)
      problems.push(
        `the ${of} had ${Math.round(first[of])} MB after the first minute, ${Math.round(last[of])} after the last`,
      );
  return problems;
}
