import { setTimeout as sleep } from 'node:timers/promises';
import { makeDataDir, startService } from '../../../server/test/process/service.js';
import { makeTenant } from '../../../server/test/process/tenant.js';
import { makeAttacker } from './attacker.js';
import { fickleMailServer } from './mail.js';
import { bounds, priced, Watch } from './watch.js';

const MiB = 1024 * 1024;
// The minimum number of requests of the second tenant, so that its p99 is more than one outlier. A test has fewer, so one may be an outlier.
const enough = 250;

/** A service with an attacker and a neighbour, warmed up: any growth from here on is due to the attacker. */
export async function startScene() {
  const mail = await fickleMailServer();
  const env = { DEMO: 'off', LOG_LEVEL: 'warn', SMTP_URL: mail.url, INBOUND_SMTP_PORT: '0' };
  // With a small heap, a request that takes too much memory ends the service.
  const service = await startService({ dataDir: await makeDataDir(), env, nodeArgs: ['--max-old-space-size=512'] });
  const attacker = await makeAttacker(service, mail);
  const { token } = await makeTenant(service);
  const watch = await Watch.start(service, token);
  await attacker.call('GET', '/docs');
  await attacker.makeEmail('<p>{{email}}');
  const bounces = await attacker.bounceTarget();
  mail.hush();
  while ((await watch.count()) < enough) await sleep(200);
  const { rss } = await watch.take();
  const close = async () => {
    attacker.hangUp();
    await watch.close();
    mail.close();
    await service.kill();
  };
  return { service, attacker: { ...attacker, bounces }, watch, baseline: rss, close };
}

/**
 * Repeats one attack until the second tenant has made enough requests meanwhile.
 * @param {Awaited<ReturnType<typeof startScene>>} scene
 * @param {import('./attack.js').Attack} attack
 * @param {typeof bounds} [limits]
 * @param {number} [requests] Of the second tenant.
 */
export async function replay({ service, attacker, watch, baseline }, attack, limits = bounds, requests = enough) {
  /** @type {string[]} */
  const problems = [];
  await attack.prepare?.(attacker);
  await sleep(300);
  // Node keeps much of the memory it once had, so each attack is judged by what it adds.
  const before = Math.max(baseline, (await watch.take()).rss);
  let answer = '';
  try {
    do answer = await attack.run(attacker);
    while ((await watch.count()) < requests);
  } catch (error) {
    problems.push(String(error));
  }
  const seen = await watch.take();
  attacker.hangUp();
  const growth = Math.max(0, seen.rss - before);
  if (!service.isRunning()) problems.push(`the service ended: ${service.stderr().slice(-500)}`);
  if (priced(seen.stall, seen) > limits.stallMs) problems.push(`the loop was held for ${Math.round(seen.stall)} ms`);
  if (growth > limits.growth) problems.push(`memory grew by ${Math.round(growth / MiB)} MB`);
  if (priced(seen.p99, seen) >= limits.p99Ms) problems.push(`the second tenant's p99 was ${Math.round(seen.p99)} ms`);
  if (seen.faults.length > 0) problems.push(`the second tenant had ${seen.faults.length} faults: ${seen.faults[0]}`);
  return { answer, problems, ...seen, growth };
}

/** @param {Awaited<ReturnType<typeof replay>>} seen */
export function lineOf({ answer, problems, requests, p99, worst, stall, growth, price }) {
  const figures = `p99 ${Math.round(p99)} ms of ${requests}, worst ${Math.round(worst)}, stall ${Math.round(stall)} ms, growth ${Math.round(growth / MiB)} MB, machine × ${price.toFixed(1)}`;
  return `${answer || 'no answer'}; ${figures}${problems.length ? `; WRONG: ${problems.join('; ')}` : ''}`;
}
