// The rollup over 500 journeys with the counters of 50 million messages, against a bare route that reads the same counter rows. The cost of
// recording shows in the messages bench, before and after, so it has no bench of its own.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { clientConfig } from '../server/dist/db/connect.js';
import { connectionOf, postgresPids } from '../server/test/process/postgres-processes.js';
import { makeDataDir, startService } from '../server/test/process/service.js';
import { callJson, makeTenant } from '../server/test/process/tenant.js';
import { freePort } from './free-port.js';
import { compare, read, seconds } from './measure.js';
import { cpuSecondsOf, median } from './processes.js';

const journeys = Number(process.env.BENCH_JOURNEYS ?? 500);
const messages = Number(process.env.BENCH_MESSAGES ?? 50_000_000);
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
// Sending steps per journey, and the hours between their sends.
const steps = 2;
const everyHours = Number(process.env.BENCH_EVERY_HOURS ?? 8);
const year = 365 * 24;
// Whole days, so that both read only counters.
const window = ['2026-09-01T00:00:00.000Z', '2026-09-30T23:59:59.999Z'];

/** @param {(line: string) => void} say */
export async function bench(say) {
  if (process.env.BENCH_PART === 'recording') {
    say('recording is measured by the messages bench: run it with and without statistics, and compare.');
    return;
  }
  const dataDir = await makeDataDir();
  const env = { PORT: String(await freePort()), DEMO: 'off', ROLLUP_LIMIT: String(Math.max(500, journeys)) };
  const folder = process.env.BENCH_PROFILE;
  const nodeArgs = folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : [];
  const service = await startService({ dataDir, env, discardOutput: true, nodeArgs });
  const { tenantId, token } = await makeTenant(service);
  const connection = await connectionOf(dataDir);
  const client = new pg.Client(clientConfig(connection));
  await client.connect();
  for (let i = 0; i < journeys; i++)
    await callJson(`${service.url}/v2/journeys`, {
      token,
      method: 'POST',
      body: { name: `Journey ${i}`, type: 'trigger' },
    });
  say(await seed(client, tenantId));
  await client.end();
  const bare = fork(fileURLToPath(new URL('bare-statistics.js', import.meta.url)));
  bare.send({ connection, tenantId, window });
  const [{ url: bareUrl }] = await once(bare, 'message');
  const query = `?startTime=${window[0]}&endTime=${window[1]}`;
  await same(`${service.url}/v2/journeys/stats`, `${bareUrl}/whole`, token);
  await same(`${service.url}/v2/journeys/stats${query}`, `${bareUrl}/days`, token);
  for (const [what, path, ours] of [
    ['rollups/s of everything ever', '/whole', ''],
    ['rollups/s of 30 days', '/days', query],
  ]) {
    const contenders = [
      { url: `${bareUrl}${path}`, pid: bare.pid ?? 0, ...emptyFigures() },
      { url: `${service.url}/v2/journeys/stats${ours}`, token, pid: service.pid, ...emptyFigures() },
    ];
    // In turn, so that a busy moment of the machine hits both; the first round warms them up.
    for (let round = 0; round <= rounds; round++) {
      for (const contender of contenders) {
        const before = await costs(contender.pid, dataDir);
        const perSecond = await read(contender.url, contender.token);
        const after = await costs(contender.pid, dataDir);
        if (round === 0) continue;
        contender.perSecond.push(perSecond);
        contender.cpu.push(...after.map((cpu, i) => ((cpu - (before[i] ?? 0)) / perSecond / seconds) * 1000));
      }
    }
    const [limit, found] = contenders.map(({ perSecond }) => perSecond);
    const name = `${what}, ${journeys} journeys, 32 connections`;
    compare(say, name, found ?? [], limit ?? [], 'a bare Fastify route with one statement', 0.5);
    // Two figures per round: for the serving process, and for the database.
    const each = contenders.map(({ cpu }) => [0, 1].map((i) => median(cpu.filter((_, at) => at % 2 === i)).toFixed(1)));
    const [[bareOwn, bareBase] = [], [own, base] = []] = each;
    say(
      `processor time a rollup: bare ${bareOwn} ms, its database ${bareBase} ms; service ${own} ms, its database ${base} ms`,
    );
  }
  bare.disconnect();
  await service.stop();
}

/** @returns {{ perSecond: number[], cpu: number[], token?: string }} */
function emptyFigures() {
  return { perSecond: [], cpu: [] };
}

/**
 * Seconds of CPU that a process and the database have used.
 * @param {number} pid
 * @param {string} dataDir
 */
async function costs(pid, dataDir) {
  return [await cpuSecondsOf([pid]), await cpuSecondsOf(await postgresPids(dataDir))];
}

/**
 * Counters as the service would keep them: by hour, from which days and sums are made. Returns a description.
 * @param {pg.Client} client
 * @param {number} tenantId
 */
async function seed(client, tenantId) {
  const each = Math.max(1, Math.round(messages / journeys / steps / (year / everyHours)));
  const share = (/** @type {number} */ of) => Math.round(each * of);
  await client.query(
    `insert into message_tally select $1, 'hour', 'j:' || encode(j.journey_id, 'hex') || ':step-' || s || ':' || encode(j.journey_id, 'hex'),
       timestamptz '2026-01-01T00:00:00Z' + h * interval '1 hour', $2, $3, $4, $5, $6, $7, $8, 0, 0, 0, 0, $5, $7, 0
     from journey j, generate_series(1, $9::int) s, generate_series(0, $10::int - 1, $11::int) h where j.tenant_id = $1`,
    [
      tenantId,
      each,
      share(0.98),
      share(0.5),
      share(0.35),
      share(0.1),
      share(0.06),
      share(0.02),
      steps,
      year,
      everyHours,
    ],
  );
  await client.query(
    `insert into journey_tally select $1, 'hour', journey_no, '', '', what, timestamptz '2026-01-01T00:00:00Z' + h * interval '1 hour', w.n
     from journey, unnest(array['entered', 'completed', 'exited'], array[$2, $5, $6]::int[]) w (what, n),
       generate_series(0, $3::int - 1, $4::int) h where tenant_id = $1`,
    [tenantId, each, year, everyHours, share(0.5), share(0.2)],
  );
  const sums = [...Array(14).keys()].map((i) => `sum(c${i})`).join(', ');
  const names = [...Array(14).keys()].map((i) => `c${i}`).join(', ');
  for (const [span, since] of [
    ['day', `date_trunc('day', since, 'UTC')`],
    ['all', `timestamptz '1970-01-01T00:00:00Z'`],
  ]) {
    await client.query(
      `insert into message_tally select tenant_id, '${span}', subject, ${since}, ${sums}
       from message_tally t (tenant_id, span, subject, since, ${names}) where tenant_id = $1 and span = 'hour' group by 1, 3, 4`,
      [tenantId],
    );
    await client.query(
      `insert into journey_tally select tenant_id, '${span}', journey_no, step_id, part, what, ${since}, sum(n)
       from journey_tally where tenant_id = $1 and span = 'hour' group by 1, 3, 4, 5, 6, 7`,
      [tenantId],
    );
  }
  await client.query('vacuum analyze message_tally, journey_tally, journey');
  const { rows } = await client.query(
    `select (select sum(sent) from message_tally where span = 'all')::int8 as sent, (select count(*) from message_tally) as messages,
       (select count(*) from journey_tally) as journeys`,
  );
  const [sent, ofMessages, ofJourneys] = [rows[0].sent, rows[0].messages, rows[0].journeys].map((n) =>
    Number(n).toLocaleString('en'),
  );
  return `counters of ${sent} messages: ${ofMessages} rows of messages, ${ofJourneys} of journeys`;
}

/**
 * Both must give the same result, or the comparison is meaningless.
 * @param {string} url
 * @param {string} bareUrl
 * @param {string} token
 */
async function same(url, bareUrl, token) {
  const { body } = await callJson(url, { token });
  const rows = /** @type {{ sent: number, entered: number }[]} */ (await (await fetch(bareUrl)).json());
  const { sent, entered } = body.data.totals;
  const sum = (/** @type {'sent' | 'entered'} */ name) => rows.reduce((all, row) => all + Number(row[name]), 0);
  if (sent === 0 || sent !== sum('sent') || entered !== sum('entered'))
    throw new Error(
      `${url} says ${sent} sent and ${entered} entered, the bare route ${sum('sent')} and ${sum('entered')}.`,
    );
}
