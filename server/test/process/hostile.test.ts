// Clients that mean harm, against the built service: it goes on, stays small, and a second tenant does not notice.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fuzz } from '../../../scripts/prove/hostile/fuzz.js';
import { lineOf, replay, startScene } from '../../../scripts/prove/hostile/replay.js';
import { attacks, wasSeen } from '../../../scripts/prove/hostile/seen.js';
import { cleanUp } from './service.js';

afterAll(cleanUp);

// More of them: `npm run prove -- hostile --requests 200000`.
it('answers whatever comes to any operation in the envelope, and never with a 5xx', async () => {
  const { problems } = await fuzz({ requests: 3000, seed: 1, say: () => undefined });
  expect(problems).toEqual([]);
});

// p99 under 500 ms, the loop held for 250 ms and 256 MB more are what issue 10 accepts, measured against the price of the machine.
describe('a second tenant goes on reading and writing while there are', () => {
  let scene: Awaited<ReturnType<typeof startScene>>;
  beforeAll(async () => {
    scene = await startScene();
  });
  afterAll(() => scene.close());

  it.each(attacks.filter(wasSeen))('$name', async (attack) => {
    const seen = await replay(scene, attack);
    expect(seen.problems, lineOf(seen)).toEqual([]);
  });
});
