import { afterAll, expect, it } from 'vitest';
import * as messages from '../../../scripts/prove/messages.js';
import { cleanUp } from './service.js';

afterAll(cleanUp);

// With this seed both workers are killed first, and then everything: API, workers and database.
const seed = 291;

// The long form is `npm run prove -- messages`: 20,000 messages, 20 rounds, at random.
it('sends every acknowledged message, and repeats none but under its Message-ID, whatever is killed', async () => {
  const { problems, summary } = await messages.prove({ rounds: 2, messages: 300, seed, say: () => undefined });
  expect(problems, summary).toEqual([]);
  expect(summary).toContain('5 workers and 1 databases killed');
});
