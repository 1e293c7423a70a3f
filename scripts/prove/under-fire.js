// Lets a crew work while faults happen to the place that it works at, then checks what came of it. The place says what can go wrong there.
import { setTimeout as sleep } from 'node:timers/promises';
import { cleanUp } from '../../server/test/process/service.js';
import { makeTenant } from '../../server/test/process/tenant.js';
import { openSmallPlace } from './place-small.js';

const longestPauseMs = 800;

/**
 * @typedef {{ run: () => Promise<void>, stop: () => void, acknowledged: number }} Member Sends until it is stopped.
 * @typedef {{ name: string, workers: number, databases: number, stalls?: number, promotion?: Promotion }} Fault How many processes that send
 *   mail it interrupted, how many of those went on later, and how often it interrupted the database.
 * @typedef {{ at: number, promotedAt: number }} Promotion When the primary failed and when another was promoted, by performance.now().
 * @typedef {{ url: string, dataDir: string, connection: import('pg').ClientConfig, join: () => Promise<unknown>,
 *   strike: (random: () => number) => Promise<Fault>, heal?: () => Promise<unknown>, stop: () => Promise<unknown>,
 *   close: () => Promise<unknown> }} Ground `join`: what starts once the crew is at work. `strike`: one fault, by chance. `heal`: waits
 *   until everything runs again. `stop`: as an operator does. `close`: whatever happened.
 * @typedef {(options: { env: Record<string, string>, older?: string[] | undefined, say: (line: string) => void }) => Promise<Ground>} Open
 * @typedef {Pick<Ground, 'url' | 'dataDir' | 'connection'> & { token: string, tenantId: number }} Place
 * @typedef {Required<Pick<Fault, 'workers' | 'databases' | 'stalls'>>} Kills Of all faults.
 */

/**
 * @template {Member} M
 * @param {{ rounds: number, say: (line: string) => void, older?: string[] | undefined, open?: Open | undefined }} options
 *   `older`: the command of an older build.
 * @param {{ what: string, hire: (place: Place) => Promise<M[]>, compare: (place: Place, crew: M[], kills: Kills) => Promise<string[]>,
 *   env?: Record<string, string>, onRound?: (round: number) => Promise<void>, onFault?: (fault: Fault) => Promise<void>,
 *   random?: () => number }} proof `env` of every process; a round begins once `onRound` has resolved.
 * @returns {Promise<{ summary: string, problems: string[] }>}
 */
export async function proveUnderFire({ rounds, say, older, open = openSmallPlace }, proof) {
  const { what, hire, compare, env = {}, random = Math.random } = proof;
  const { onRound = async () => undefined, onFault = async () => undefined } = proof;
  const ground = await open({ env, older, say }).catch(async (error) => {
    await cleanUp();
    throw error;
  });
  try {
    const { token, tenantId } = await makeTenant(ground);
    const { url, dataDir, connection } = ground;
    const place = { url, token, tenantId, dataDir, connection };
    const kills = { workers: 0, databases: 0, stalls: 0 };
    const crew = await hire(place);
    const acknowledged = () => crew.reduce((sum, member) => sum + member.acknowledged, 0);
    const sending = Promise.all(crew.map((member) => member.run()));
    // A member that fails ends the proof at once, and not after the last round.
    const failed = sending.then(() => new Promise(() => undefined));
    failed.catch(() => undefined);
    // Beside the others, which are running: if it is a newer build, it migrates under them.
    await ground.join();
    const strike = async (/** @type {number} */ round) => {
      await onRound(round);
      await sleep(100 + random() * longestPauseMs);
      const fault = await ground.strike(random);
      kills.workers += fault.workers;
      kills.databases += fault.databases;
      kills.stalls += fault.stalls ?? 0;
      say(`round ${round}: ${fault.name}; ${acknowledged()} ${what} acknowledged so far`);
      await onFault(fault);
    };
    for (let round = 1; round <= rounds; round++) await Promise.race([strike(round), failed]);
    await ground.heal?.();
    for (const member of crew) member.stop();
    await sending;
    const problems = await compare(place, crew, kills);
    await ground.stop();
    return { summary: `${acknowledged()} acknowledged ${what} in ${rounds} rounds`, problems };
  } finally {
    await cleanUp();
    await ground.close();
  }
}
