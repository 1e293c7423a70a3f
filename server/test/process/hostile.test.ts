// Hostile clients against the built service: it keeps running, stays small, and a second tenant does not notice.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fuzz } from '../../../scripts/prove/hostile/fuzz.js';
import { lineOf, replay, startScene } from '../../../scripts/prove/hostile/replay.js';
import { attacksSeen } from '../../../scripts/prove/hostile/seen.js';
import { cleanUp } from './service.js';

afterAll(cleanUp);

// The second tenant's p99 must stay under 500 ms, adjusted for the speed of the machine. How long the event loop is blocked and how far memory
// grows depends on garbage collection: here only extreme values fail, and `npm run prove -- hostile` is strict.
const limits = { p99Ms: 500, stallMs: 1500, growth: 768 * 1024 * 1024 };

// For more requests: `npm run prove -- hostile --requests 200000`.
it('answers whatever comes to any operation in the envelope, and never with a 5xx', async () => {
  const { problems } = await fuzz({ requests: 1000, seed: 1, say: () => undefined, limits, isShort: true });
  expect(problems).toEqual([]);
});

describe('a second tenant goes on reading and writing while there are', () => {
  let scene: Awaited<ReturnType<typeof startScene>>;
  beforeAll(async () => {
    scene = await startScene();
  });
  afterAll(() => scene.close());

  it.each(attacksSeen)('$name', async (attack) => {
    const seen = await replay(scene, attack, limits, 60);
    expect(seen.problems, lineOf(seen)).toEqual([]);
  });
});
