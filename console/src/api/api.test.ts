import type { Fetch } from '@rapport/client';
import { expect, it } from 'vitest';
import { allOf, withToken } from './api.ts';

async function* numbers(count: number) {
  for (let i = 0; i < count; i++) yield i;
}

it('gathers all rows, but no more than a person looks through', async () => {
  expect(await allOf(numbers(3))).toEqual([0, 1, 2]);
  expect(await allOf(numbers(1_000_000))).toHaveLength(2000);
});

/** A service that accepts one token, and records which were sent. */
function taking(good: string) {
  const sent: string[] = [];
  const answers: Fetch = async (_url, { headers }) => {
    sent.push(headers.authorization ?? '');
    return new Response('{}', { status: headers.authorization === `Bearer ${good}` ? 200 : 401 });
  };
  return { sent, answers };
}
const init = {
  method: 'GET',
  headers: {},
  credentials: 'omit',
  redirect: 'manual',
  signal: AbortSignal.timeout(5000),
} as const;

it('sends a request once more with a new token when the last was refused, and not a third time', async () => {
  const { sent, answers } = taking('new');
  const tokens = { current: async () => 'old', renew: async () => 'new' };
  expect((await withToken(tokens, answers)('/v2/lists', init)).status).toBe(200);
  expect(sent).toEqual(['Bearer old', 'Bearer new']);
  const never = taking('another');
  expect((await withToken(tokens, never.answers)('/v2/lists', init)).status).toBe(401);
  expect(never.sent).toHaveLength(2);
});

it('does not try again with a pasted token, nor once the session has ended', async () => {
  const { sent, answers } = taking('good');
  expect((await withToken({ current: async () => 'bad' }, answers)('/v2/lists', init)).status).toBe(401);
  const gone = { current: async () => 'old', renew: async () => undefined };
  expect((await withToken(gone, answers)('/v2/lists', init)).status).toBe(401);
  expect(sent).toEqual(['Bearer bad', 'Bearer old']);
});
