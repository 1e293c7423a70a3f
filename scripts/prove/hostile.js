// One tenant, and clients without a token, send anything that may stop the service; a second tenant reads and writes meanwhile.
// First random requests for every operation, then the known attacks, one after the other.
import { cleanUp } from '../../server/test/process/service.js';
import { fuzz } from './hostile/fuzz.js';
import { lineOf, replay, startScene } from './hostile/replay.js';
import { attacksSeen } from './hostile/seen.js';
import { variants } from './hostile/variants.js';

export const claim =
  'whatever one client sends, there is no 5xx but 503, no answer outside the envelope, no stall of 250 ms, no growth by 256 MB';

const MiB = 1024 * 1024;
const attacks = [...attacksSeen, ...variants];

/**
 * @param {{ requests?: number, seed?: number, say: (line: string) => void }} options
 * @returns {Promise<{ summary: string, problems: string[] }>}
 */
export async function prove({ requests = 20_000, seed = Date.now() % 1_000_000, say }) {
  try {
    const fuzzed = await fuzz({ requests, seed, say });
    const scene = await startScene();
    /** @type {Awaited<ReturnType<typeof replay>>[]} */
    const replayed = [];
    for (const attack of attacks) {
      const seen = await replay(scene, attack);
      say(`${attack.name}: ${lineOf(seen)}`);
      replayed.push({ ...seen, problems: seen.problems.map((problem) => `${attack.name}: ${problem}`) });
    }
    await scene.close();
    const worst = (/** @type {(seen: typeof replayed[number]) => number} */ of) =>
      Math.round(Math.max(...replayed.map(of)));
    const summary =
      `${fuzzed.sent} requests by chance (seed ${seed}): stall ${Math.round(fuzzed.stall)} ms, growth ${Math.round(fuzzed.growth / MiB)} MB, ` +
      `second tenant p99 ${fuzzed.worstP99} ms; ${attacks.length} attacks: stall ${worst((seen) => seen.stall)} ms, ` +
      `growth ${worst((seen) => seen.growth / MiB)} MB, second tenant p99 ${worst((seen) => seen.p99)} ms`;
    return { summary, problems: [...fuzzed.problems, ...replayed.flatMap((seen) => seen.problems)] };
  } finally {
    await cleanUp();
  }
}
