// Journey steps beside popular PostgreSQL queues, in turn, on the same database, all durable. Their jobs are empty; a step
// of ours decides something, moves the enrolment, and records it on its timeline and in the figures.
import { run } from 'graphile-worker';
import PgBoss from 'pg-boss';
import { makeTenant } from '../server/test/process/tenant.js';
import { seedUsers } from './events.js';
import { median } from './processes.js';
import { graphileJobs, ourSteps, pgBossJobs, startQueues } from './queues/contenders.js';

const jobs = Number(process.env.BENCH_JOBS ?? 50_000);
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
/** Steps that an enrolment takes in one turn, including the one where it comes to rest. */
const chains = [2, 6];

/** @param {(line: string) => void} say */
export async function bench(say) {
  const place = await startQueues();
  const tenant = await makeTenant(place.service);
  await seedUsers(place.client, tenant.tenantId, Math.min(jobs, 10_000));
  const { rows } = await place.client.query('show synchronous_commit');
  say(
    `${jobs.toLocaleString('en')} jobs a round, ${rounds} rounds in turn, medians; synchronous_commit = ${rows[0].synchronous_commit}`,
  );
  const contenders = {
    ...Object.fromEntries(
      chains.map((steps) => [`enrolments, ${steps} steps each`, ourSteps(place, tenant, steps, jobs)]),
    ),
    'graphile-worker, empty jobs': graphileJobs(place, run, jobs),
    'pg-boss, empty jobs': pgBossJobs(place, PgBoss, jobs),
  };
  /** @type {Record<string, number[]>} */
  const found = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  // The first round warms up.
  for (let round = 0; round <= rounds; round++)
    for (const [name, contender] of Object.entries(contenders)) {
      const perSecond = await contender();
      if (round > 0) found[name]?.push(perSecond);
    }
  const ofPeers = Object.entries(found).filter(([name]) => name.includes('empty'));
  for (const [name, all] of Object.entries(found)) {
    const steps = Number(/(\d+) steps/.exec(name)?.[1] ?? 1);
    const beside = ofPeers.map(([peer, theirs]) => `${((median(all) * steps) / median(theirs)).toFixed(2)} of ${peer}`);
    const also = steps > 1 ? `, ${whole(median(all) * steps)} steps/s (${beside.join('; ')})` : '';
    say(`${name}: ${whole(median(all))}/s${also}`);
  }
  await place.stop();
}

const whole = (/** @type {number} */ n) => Math.round(n).toLocaleString('en');
