import { afterAll, expect, it } from 'vitest';
import * as contacts from '../../../scripts/prove/contacts.js';
import * as events from '../../../scripts/prove/events.js';
import * as lists from '../../../scripts/prove/lists.js';
import * as listsFresh from '../../../scripts/prove/lists-fresh.js';
import { cleanUp } from './service.js';

afterAll(cleanUp);

// The long form is `npm run prove -- lists`: 20 rounds.
it('loses no acknowledged list to kill -9, of the service or of service and database', async () => {
  const { problems } = await lists.prove({ rounds: 2, say: () => undefined });
  expect(problems).toEqual([]);
});

// The long form is `npm run prove -- contacts --rounds 50`.
it('applies every acknowledged contact write once and in order, whatever is killed', async () => {
  const { problems } = await contacts.prove({ rounds: 2, say: () => undefined });
  expect(problems).toEqual([]);
});

// The long form is `npm run prove -- events`.
it('stores every acknowledged event once, whatever is killed', async () => {
  const { problems } = await events.prove({ rounds: 2, say: () => undefined });
  expect(problems).toEqual([]);
});

// The long form is `npm run prove -- lists-fresh`.
it('has in every dynamic list whom a count from scratch finds, whatever is killed', async () => {
  const { problems } = await listsFresh.prove({ rounds: 2, say: () => undefined });
  expect(problems).toEqual([]);
});
