import { afterAll, expect, it } from 'vitest';
import * as messages from '../../../scripts/prove/messages.js';
import { cleanUp } from './service.js';

afterAll(cleanUp);

// The long form is `npm run prove -- messages`: 20,000 messages, 20 rounds. A round may kill three processes at once.
it('sends every acknowledged message, and repeats none but under its Message-ID, whatever is killed', async () => {
  const { problems, summary } = await messages.prove({ rounds: 3, messages: 300, say: () => undefined });
  expect(problems, summary).toEqual([]);
});
