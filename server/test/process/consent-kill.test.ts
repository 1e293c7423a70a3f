import { afterAll, expect, it } from 'vitest';
import * as consent from '../../../scripts/prove/consent.js';
import { cleanUp } from './service.js';

afterAll(cleanUp);

// With this seed both workers are killed first, and then everything: API, workers and database.
const seed = 291;

// The long form is `npm run prove -- consent`: 2,000 people, 20 rounds, at random.
it('mails no one who has left, and loses no subscription, whatever is killed', async () => {
  const { problems, summary } = await consent.prove({ rounds: 2, contacts: 80, seed, say: () => undefined });
  expect(problems, summary).toEqual([]);
  expect(summary).toContain('5 workers and 1 databases killed');
});
