import { afterAll, expect, it } from 'vitest';
import { prove } from '../../../scripts/prove/lists.js';
import { cleanUp } from './service.js';

afterAll(cleanUp);

// The long form is `npm run prove -- lists`: 20 rounds.
it('loses no acknowledged list to kill -9, of the service or of service and database', async () => {
  const { problems } = await prove({ rounds: 3, say: () => undefined });
  expect(problems).toEqual([]);
});
