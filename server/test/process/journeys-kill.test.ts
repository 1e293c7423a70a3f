import { afterAll, expect, it } from 'vitest';
import * as journeys from '../../../scripts/prove/journeys.js';
import { cleanUp } from './service.js';

afterAll(cleanUp);

// With this seed both workers are killed first, and then everything: API, workers and database.
const seed = 291;

// The long form is `npm run prove -- journeys`: 50,000 contacts, 20 rounds, at random.
it('enrols every contact once and takes it through what the definition says, whatever is killed', async () => {
  const { problems, summary } = await journeys.prove({ rounds: 2, contacts: 200, seed, say: () => undefined });
  expect(problems, summary).toEqual([]);
  expect(summary).toContain('5 workers and 1 databases killed');
});
