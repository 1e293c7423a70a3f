// What each contender does in a round: jobs are put into its queue before the clock starts, which then runs until all of them are done
// and stored as done. The settings are those that its documentation recommends for many small jobs.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { clientConfig } from '../../server/dist/db/connect.js';
import { connectionOf } from '../../server/test/process/postgres-processes.js';
import { makeDataDir, startService } from '../../server/test/process/service.js';
import { callJson } from '../../server/test/process/tenant.js';
import { freePort } from '../free-port.js';

/** @typedef {Awaited<ReturnType<typeof startQueues>>} Place */

export async function startQueues() {
  const dataDir = await makeDataDir();
  const env = { PORT: String(await freePort()), DEMO: 'off' };
  const service = await startService({ dataDir, env, discardOutput: true });
  const connection = await connectionOf(dataDir);
  const client = new pg.Client(clientConfig(connection));
  client.on('error', () => undefined);
  await client.connect();
  const stop = async () => {
    await client.end();
    await service.stop();
  };
  return { service, client, connection, stop };
}

/**
 * Enrolments whose wait has ended: each passes branches and waits again.
 * @param {Place} place
 * @param {{ tenantId: number, token: string }} tenant
 * @param {number} steps
 * @param {number} count
 */
export function ourSteps({ service, client }, { tenantId, token }, steps, count) {
  const post = async (/** @type {string} */ path, /** @type {unknown} */ body = {}) => {
    const reply = await callJson(service.url + path, { token, method: 'POST', body });
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body.data;
  };
  const branches = Array.from({ length: steps - 1 }, (_, i) => {
    const next = i === steps - 2 ? 'rest' : `branch-${i + 1}`;
    const cases = [{ filter: { property: 'plan', is: 'pro' }, next }];
    return { id: `branch-${i}`, type: 'branch', cases, otherwise: next };
  });
  const waits = ['wait', 'rest'].map((id) => ({ id, type: 'delay', for: 'P300D' }));
  const definition = {
    entry: { event: { eventName: 'nobody_enters' } },
    steps: [waits[0], ...branches, waits[1]],
    reentry: 'always',
  };
  /** @type {{ id: string, no: number } | undefined} */
  let journey;
  return async () => {
    if (!journey) {
      const { journeyId } = await post('/v2/journeys', { name: `${steps} steps`, type: 'trigger', definition });
      await post(`/v2/journeys/${journeyId}/activate`);
      const { rows } = await client.query(
        `select journey_no as no from journey where tenant_id = $1 and journey_id = decode($2, 'hex')`,
        [tenantId, journeyId],
      );
      journey = { id: journeyId, no: rows[0].no };
    }
    await post(`/v2/journeys/${journey.id}/pause`);
    await client.query(
      `insert into enrolment (tenant_id, enrolment_id, journey_no, version, contact_id, step_id, visit, step_at, phase, wait_until, due_at, entered_at, words)
       select tenant_id, gen_random_uuid(), $2, 1, contact_id, 'wait', 1, now(), 'waiting', now(), now(), now(), '{"event":{}}'
       from contact cross join generate_series(1, ceil($3::numeric / 10000)::int) where tenant_id = $1 limit $3`,
      [tenantId, journey.no, count],
    );
    await client.query('vacuum analyze enrolment');
    const start = performance.now();
    await post(`/v2/journeys/${journey.id}/resume`);
    const left = `select 1 from enrolment where tenant_id = $1 and journey_no = $2 and version = 1 and step_id = 'wait' and state = 'active' limit 1`;
    while ((await client.query(left, [tenantId, journey.no])).rows.length > 0) await sleep(10);
    return count / ((performance.now() - start) / 1000);
  };
}

/**
 * Settings of worker.graphile.org/docs/performance: jobs are fetched and completed in batches.
 * @param {Place} place
 * @param {typeof import('graphile-worker').run} run
 * @param {number} count
 */
export function graphileJobs({ client, connection }, run, count) {
  return async () => {
    const pgPool = new pg.Pool({ ...connection, max: 25 });
    pgPool.on('error', () => undefined);
    pgPool.on('connect', (each) => each.on('error', () => undefined));
    let done = 0;
    const start = async () => {
      const preset = {
        worker: {
          ...{ concurrentJobs: 24, maxPoolSize: 25, localQueue: { size: 500 } },
          ...{ completeJobBatchDelay: 0, failJobBatchDelay: 0 },
        },
      };
      const taskList = {
        empty: async () => {
          done++;
        },
      };
      return run({ preset, taskList, pgPool, noHandleSignals: true, logger: await quiet() });
    };
    // Creates its tables the first time.
    await (await start()).stop();
    await client.query(
      `select count(*) from graphile_worker.add_jobs(array(
         select json_populate_record(null::graphile_worker.job_spec, '{"identifier": "empty", "payload": {}}') from generate_series(1, $1::int)))`,
      [count],
    );
    await client.query('vacuum analyze graphile_worker._private_jobs');
    const began = performance.now();
    const runner = await start();
    const isLeft = async () =>
      (await client.query('select 1 from graphile_worker._private_jobs limit 1')).rows.length > 0;
    while (done < count || (await isLeft())) await sleep(10);
    const took = (performance.now() - began) / 1000;
    await runner.stop();
    await pgPool.end();
    return count / took;
  };
}

async function quiet() {
  const { Logger } = await import('graphile-worker');
  return new Logger(() => () => undefined);
}

/**
 * Fetched and completed in batches, by four loops that do not wait in between: `work()` would sleep half a second after each batch.
 * @param {Place} place
 * @param {typeof import('pg-boss')} PgBoss
 * @param {number} count
 */
export function pgBossJobs({ client, connection }, PgBoss, count) {
  const [loops, batchSize] = [4, 1000];
  return async () => {
    const boss = new PgBoss({ ...connection, max: 10, supervise: false, schedule: false });
    boss.on('error', () => undefined);
    await boss.start();
    await boss.createQueue('empty');
    for (let from = 0; from < count; from += 10_000)
      await boss.insert(Array.from({ length: Math.min(10_000, count - from) }, () => ({ name: 'empty', data: {} })));
    await client.query('vacuum analyze pgboss.job');
    const start = performance.now();
    const loop = async () => {
      for (;;) {
        const jobs = await boss.fetch('empty', { batchSize });
        if (jobs.length === 0) return;
        await boss.complete(
          'empty',
          jobs.map(({ id }) => id),
        );
      }
    };
    await Promise.all(Array.from({ length: loops }, loop));
    const took = (performance.now() - start) / 1000;
    await boss.stop({ graceful: false, wait: true });
    return count / took;
  };
}
