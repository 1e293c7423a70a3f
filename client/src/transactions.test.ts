import { describe, expect, it } from 'vitest';
import { envelope, refusal, usePeer } from '../test/peer.js';
import { createClient, TransactionFailure } from './index.js';

const peer = usePeer();
const pending = envelope({ transactionId: '1-x', status: 'PENDING', progress: { done: 1, total: 2 } });
const done = envelope({ transactionId: '1-x', status: 'DONE', data: { results: [] } });

it('polls less and less often until the write is applied', async () => {
  peer.answers(pending, pending, refusal(503, 'NOT_READY'), pending, done);
  const seen: unknown[] = [];
  const transaction = await peer.client().transactions.wait('1-x', { onProgress: ({ status }) => seen.push(status) });
  expect(transaction).toEqual({ transactionId: '1-x', status: 'DONE', data: { results: [] } });
  expect(seen).toEqual(['PENDING', 'PENDING', 'PENDING', 'DONE']);
  expect(peer.pauses).toEqual([50, 75, 187.5, 112.5]);
  expect(peer.received[0]?.url).toBe('/v2/contacts/transactions/1-x');
});

it('never pauses longer than a second', async () => {
  peer.answers(...Array(12).fill(pending), done);
  await peer.client().transactions.wait('1-x');
  expect(Math.max(...peer.pauses)).toBe(1000);
});

it('asks where the kind of write is polled', async () => {
  peer.answers(done);
  await peer.client().transactions.wait('1-x', { kind: 'users' });
  await peer.client().transactions.wait('1-x', { kind: 'events' });
  expect(peer.received.map(({ url }) => url)).toEqual(['/v2/contacts/transactions/1-x', '/v2/events/transactions/1-x']);
});

it('says when there is no such transaction', async () => {
  peer.answers(envelope({ transactionId: '1-x', status: 'NOT_EXIST' }));
  const waiting = peer.client().transactions.wait('1-x');
  await expect(waiting).rejects.toBeInstanceOf(TransactionFailure);
  await expect(waiting).rejects.toMatchObject({ status: 'NOT_EXIST', transactionId: '1-x' });
  await expect(waiting).rejects.toThrow("For an event write, say kind: 'events'.");
});

it('gives up after its patience, and says that the write goes on', async () => {
  peer.answers(pending);
  const waiting = peer.client().transactions.wait('1-x', { patienceMs: 300 });
  await expect(waiting).rejects.toMatchObject({ status: 'PENDING' });
  await expect(waiting).rejects.toThrow('still pending after 0.3 seconds. It is not lost');
  expect(peer.pauses).toEqual([50, 75, 112.5]);
});

describe('a service that does not answer', () => {
  // With the clock of the machine: the client alone would wait for minutes.
  const wait = (options: object) =>
    createClient({ baseUrl: peer.url, token: 'x' }).transactions.wait('1-x', { patienceMs: 150, ...options });

  it.each([
    ['hangs', { fault: 'hang' } as const],
    ['asks for time', { status: 503, headers: { 'retry-after': '20' } }],
    ['breaks off', { fault: 'cut' } as const],
  ])('and %s is waited for no longer than the patience', async (_, answer) => {
    peer.answers(answer);
    const startedAt = performance.now();
    const failure = await wait({}).catch((error: unknown) => error);
    // A machine that is busy may be late, but not by the seconds of a retry.
    expect(performance.now() - startedAt).toBeLessThan(5000);
    expect(failure).toBeInstanceOf(TransactionFailure);
    expect(failure).toMatchObject({
      status: 'PENDING',
      message: expect.stringContaining('did not say within 0.15 seconds whether transaction 1-x is applied'),
    });
  });

  it('after it once said PENDING leaves the write pending', async () => {
    peer.answers(pending, { fault: 'hang' });
    await expect(wait({})).rejects.toThrow('Transaction 1-x is still pending after 0.15 seconds.');
  });

  it('is left at once by a signal', async () => {
    peer.answers({ fault: 'hang' });
    const stopper = new AbortController();
    const waiting = wait({ patienceMs: 60_000, signal: stopper.signal });
    await expect.poll(() => peer.received.length).toBe(1);
    stopper.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(wait({ signal: stopper.signal })).rejects.toThrow('enough');
  });
});

it.each([Number.POSITIVE_INFINITY, 2 ** 40])('can be as patient as %d ms', async (patienceMs) => {
  peer.answers(pending, done);
  expect(await peer.client().transactions.wait('1-x', { patienceMs })).toMatchObject({ status: 'DONE' });
});

it('stops at a signal between two polls', async () => {
  peer.answers(pending);
  const stopper = new AbortController();
  const waiting = peer.client().transactions.wait('1-x', {
    signal: stopper.signal,
    onProgress: () => stopper.abort(new Error('enough')),
  });
  await expect(waiting).rejects.toThrow('enough');
  expect(peer.received).toHaveLength(1);
});
