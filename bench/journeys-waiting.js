// The cost of many waiting contacts: the idle loop, contacts whose time comes, and events that no contact waits for.
import { setTimeout as sleep } from 'node:timers/promises';
import { selectDue } from '../server/dist/features/journeys/turn/look/queries.js';
import { NewsFloor } from '../server/dist/features/journeys/turn/news-floor.js';
import { selectDueEnrolments } from '../server/dist/features/journeys/turn/queries.js';
import { postgresPids } from '../server/test/process/postgres-processes.js';
import { callJson, makeTenant } from '../server/test/process/tenant.js';
import { seedUsers } from './events.js';
import { compare, load, untilDone } from './measure.js';
import { cpuSecondsOf } from './processes.js';

const waiting = Number(process.env.BENCH_WAITING ?? 200_000);
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const seconds = Number(process.env.BENCH_SECONDS ?? 4);
const users = 10_000;
const few = 1000;
// Seconds of observation.
const idle = 10;
const due = 1000;

/** @typedef {import('./journeys.js').Place} Place */

/**
 * @param {Place} place
 * @param {(line: string) => void} say
 */
export async function manyWaiting(place, say) {
  const { client, service } = place;
  const [busy, bare] = [await makeTenant(service), await makeTenant(service)];
  await seedUsers(client, busy.tenantId, users);
  await seedUsers(client, bare.tenantId, users);
  const journey = await startJourney(place, busy);
  for (const [from, to] of [
    [0, few],
    [few, waiting],
  ]) {
    await seedWaiting(client, busy.tenantId, journey.journeyNo, Number(from), Number(to));
    await idleCost(place, busy.tenantId, journey.journeyNo, Number(to), say);
  }
  await untilDue(place, busy.tenantId, say);
  await unwaited(place, busy, bare, say);
  await post(place, busy.token, `/v2/journeys/${journey.journeyId}/pause`);
}

/**
 * @param {Place} place
 * @param {{ tenantId: number, token: string }} tenant
 */
async function startJourney(place, { tenantId, token }) {
  const steps = [
    {
      ...{ id: 'wait', type: 'waitUntil', timeout: 'P60D', onTimeout: null },
      branches: [{ event: { eventName: 'nobody_sends_this' }, next: null }],
    },
  ];
  const definition = { entry: { event: { eventName: 'nobody_enters' } }, steps, reentry: 'always' };
  const { journeyId } = await post(place, token, '/v2/journeys', { name: 'Waiting', type: 'trigger', definition });
  await post(place, token, `/v2/journeys/${journeyId}/activate`);
  const { rows } = await place.client.query('select journey_no from journey where tenant_id = $1', [tenantId]);
  return { journeyId, journeyNo: rows[0].journey_no };
}

/**
 * @param {import('pg').Client} client
 * @param {number} tenantId
 * @param {number} journeyNo
 * @param {number} from
 * @param {number} to
 */
async function seedWaiting(client, tenantId, journeyNo, from, to) {
  await client.query(
    `insert into enrolment (tenant_id, enrolment_id, journey_no, version, contact_id, step_id, visit, step_at, phase, wait_until, due_at, entered_at, words)
     select $1, gen_random_uuid(), $2, 1, lpad(to_hex(n % $3::int), 32, '0')::uuid, 'wait', 1, now(), 'waiting', d.at, d.at, now(), '{"event":{"order":1}}'
     from generate_series($4::int, $5::int - 1) n cross join lateral (select now() + interval '30 days' + n * interval '1 second' as at) d`,
    [tenantId, journeyNo, users, from, to],
  );
  await client.query('vacuum analyze enrolment');
}

/**
 * CPU time while nothing happens, and how the loop finds due work.
 * @param {Place} place
 * @param {number} tenantId
 * @param {number} journeyNo
 * @param {number} size
 * @param {(line: string) => void} say
 */
async function idleCost({ client, service, dataDir }, tenantId, journeyNo, size, say) {
  await sleep(2000);
  const pids = await postgresPids(dataDir);
  const costs = () => Promise.all([service.pid, ...pids].map((pid) => cpuSecondsOf([pid])));
  const before = await costs();
  await sleep(idle * 1000);
  // A process that has ended meanwhile, such as a vacuum, is not counted.
  const [own = 0, ...others] = (await costs()).map((time, i) => Math.max(0, time - (before[i] ?? 0)));
  const spent = [own, others.reduce((sum, time) => sum + time, 0)].map((time) => ((time / idle) * 1000).toFixed(0));
  say(
    `${size.toLocaleString('en')} waiting, at rest: service ${spent[0]} ms and database ${spent[1]} ms of processor a second`,
  );
  const statements = await lookStatements(tenantId, journeyNo);
  for (const [what, { text, values }] of Object.entries(statements)) {
    const found = await client.query(`explain (analyze, buffers, format json) ${text}`, values);
    const [plan] = found.rows[0]['QUERY PLAN'];
    const pages = plan.Plan['Shared Hit Blocks'] + plan.Plan['Shared Read Blocks'];
    const indexes = [...new Set(scansOf(plan.Plan))].join(', ');
    say(`  ${what}: ${pages} pages, ${plan['Execution Time'].toFixed(2)} ms; ${indexes}`);
  }
}

/**
 * The service's own statements, captured before they are sent.
 * @param {number} tenantId
 * @param {number} journeyNo
 */
async function lookStatements(tenantId, journeyNo) {
  /** @type {any[]} */
  const sent = [];
  const spy = /** @type {any} */ ({
    rows: async (/** @type {unknown} */ statement) => {
      sent.push(statement);
      return [];
    },
  });
  await selectDue(spy, new NewsFloor());
  await selectDueEnrolments(spy, tenantId, [journeyNo], 1000, new Date().toISOString());
  return { 'look of the loop': sent[0], 'take what is due': sent[1] };
}

/**
 * @param {any} node
 * @returns {string[]}
 */
function scansOf(node) {
  const own = node['Index Name'] ?? (node['Node Type'] === 'Seq Scan' ? `all of ${node['Relation Name']}` : undefined);
  return [...(own ? [own] : []), ...(node.Plans ?? []).flatMap(scansOf)];
}

/**
 * Some contacts fall due at one moment: how long after it each has moved on.
 * @param {Place} place
 * @param {number} tenantId
 * @param {(line: string) => void} say
 */
async function untilDue({ client }, tenantId, say) {
  const { rows } = await client.query(
    `with chosen as (select enrolment_id from enrolment where tenant_id = $1 and state = 'active' order by due_at limit $2), at as (select now() + interval '3 seconds' as at)
     update enrolment e set due_at = at.at, wait_until = at.at from chosen, at
     where e.tenant_id = $1 and e.enrolment_id = chosen.enrolment_id returning e.enrolment_id as id, extract(epoch from e.due_at) * 1000 as at`,
    [tenantId, due],
  );
  const ids = rows.map(({ id }) => id);
  const ended = `select extract(epoch from ended_at) * 1000 as at from enrolment where tenant_id = $1 and enrolment_id = any($2::uuid[]) and state <> 'active'`;
  for (;;) {
    const found = await client.query(ended, [tenantId, ids]);
    if (found.rows.length === ids.length) {
      const late = found.rows.map(({ at }) => at - rows[0].at).sort((a, b) => a - b);
      const [half, last] = [late[late.length >> 1], late.at(-1)].map((ms) => Math.round(ms ?? 0));
      say(
        `${due} of them due at one moment: gone on after ${half} ms (median), ${last} ms (the last; goal: at most 1000)`,
      );
      return;
    }
    await sleep(50);
  }
}

/**
 * The same load for a tenant with all the waiting contacts, and for one without journeys.
 * @param {Place} place
 * @param {{ tenantId: number, token: string }} busy
 * @param {{ tenantId: number, token: string }} bare
 * @param {(line: string) => void} say
 */
async function unwaited({ client, service }, busy, bare, say) {
  const since = Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth(), 1);
  const rate = async (/** @type {{ tenantId: number, token: string }} */ { tenantId, token }) => {
    const start = performance.now();
    const how = { body: 'events', connections: 8, users, since, session: 5, withIds: false, seconds };
    const { answered } = await load(service.url, '/v2/events', token, how);
    await untilDone(client, tenantId);
    return (answered * 500) / ((performance.now() - start) / 1000);
  };
  /** @type {number[]} */ const ours = [];
  /** @type {number[]} */ const limit = [];
  await rate(busy);
  for (let round = 0; round < rounds; round++) {
    limit.push(await rate(bare));
    ours.push(await rate(busy));
  }
  compare(say, 'events/s that nobody waits for, beside those who wait', ours, limit, 'a tenant without journeys', 0.9);
}

/**
 * @param {Place} place
 * @param {string} token
 * @param {string} path
 * @param {unknown} [body]
 */
async function post({ service }, token, path, body) {
  const reply = await callJson(service.url + path, { token, method: 'POST', ...(body === undefined ? {} : { body }) });
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply.body.data;
}
