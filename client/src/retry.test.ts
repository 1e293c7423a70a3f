import * as contract from '@rapport/contract';
import { describe, expect, it } from 'vitest';
import { envelope, refusal, usePeer } from '../test/peer.js';
import { type Client, createClient } from './index.js';
import { readRetryAfter } from './retry.js';

const peer = usePeer();
const body = { email: 'a@example.com' };

const requests: Record<string, (client: Client) => Promise<unknown>> = {
  GET: (client) => client.call(contract.getContact, { params: { id: 'c1' } }),
  'POST with a key': (client) => client.call(contract.createContact, { body }),
  'POST without one': (client) => client.call(contract.createContact, { body, idempotencyKey: false }),
  'POST of the administration': (client) => client.call(contract.createTenant, { body: { name: 'Acme' } }),
  PATCH: (client) => client.call(contract.updateContact, { params: { id: 'c1' }, body: { properties: {} } }),
  DELETE: (client) => client.call(contract.deleteContact, { params: { id: 'c1' } }),
};
const harmless = ['GET', 'POST with a key'];

describe.each(Object.entries(requests))('%s', (name, request) => {
  it.each([
    ['no answer', { fault: 'cut' } as const, harmless.includes(name)],
    ['half an answer', { ...envelope({ text: 'x'.repeat(5000) }), fault: 'half' } as const, harmless.includes(name)],
    ['429', { status: 429 }, true],
    ['502 of a proxy', { status: 502, body: '<html>' }, harmless.includes(name)],
    ['502 of our own', refusal(502, 'MAIL_NOT_SENT'), false],
    ['503', refusal(503, 'NOT_READY'), harmless.includes(name)],
    ['504', { status: 504 }, harmless.includes(name)],
    ['500', refusal(500, 'INTERNAL_ERROR'), false],
    ['409', refusal(409, 'INVALID_STATE'), false],
    ['400', refusal(400, 'VALIDATION_ERROR'), false],
  ])('after %s goes again only where that is harmless', async (_, fault, again) => {
    peer.answers(fault, envelope({}));
    await request(peer.client()).catch(() => undefined);
    expect(peer.received).toHaveLength(again ? 2 : 1);
    // The very same request, also its key.
    if (again) expect(peer.received[1]).toEqual(peer.received[0]);
  });
});

describe('the pause before the next attempt', () => {
  const get = (client = peer.client()) => client.call(contract.getContact, { params: { id: 'c1' } });

  it('doubles, with chance in it, and ends after five attempts', async () => {
    peer.answers(refusal(503, 'NOT_READY'));
    await expect(get()).rejects.toMatchObject({ status: 503 });
    // random() is 0.5: three quarters of 250, 500, 1000, 2000.
    expect(peer.pauses).toEqual([187.5, 375, 750, 1500]);
    expect(peer.received).toHaveLength(5);
  });

  it('is at least what Retry-After asks for, in seconds or as a date', async () => {
    peer.answers({ status: 429, headers: { 'retry-after': '3' } }, envelope({}));
    await get();
    expect(peer.pauses).toEqual([3125]);
  });

  it('is not made when the service asks for longer than half a minute: the caller is told how long', async () => {
    peer.answers({ status: 429, headers: { 'retry-after': '3600' } });
    await expect(get()).rejects.toMatchObject({ status: 429, retryAfter: 3600 });
    expect(peer.pauses).toEqual([]);
  });

  it('is not made when it would end after the patience', async () => {
    peer.answers({ status: 503, headers: { 'retry-after': '20' } });
    await expect(get()).rejects.toMatchObject({ status: 503 });
    expect(peer.pauses).toEqual([20_125, 20_125]);
    expect(peer.received).toHaveLength(3);
  });

  it('is bounded by what the caller says', async () => {
    peer.answers(refusal(503, 'NOT_READY'));
    await expect(get(peer.client({ patience: { attempts: 2 } }))).rejects.toMatchObject({ status: 503 });
    await expect(get(peer.client({ patience: { patienceMs: 600 } }))).rejects.toMatchObject({ status: 503 });
    expect(peer.pauses).toEqual([187.5, 187.5, 375]);
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-11-15T09:30:00Z');
  it.each([
    ['3', 3],
    [' 0 ', 0],
    ['Sun, 15 Nov 2026 09:30:10 GMT', 10],
    ['Sun, 15 Nov 2026 09:29:00 GMT', 0],
    ['soon', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['', undefined],
    [null, undefined],
  ])('%j means %j seconds', (header, seconds) => expect(readRetryAfter(header, now)).toBe(seconds));
});

describe('a signal', () => {
  const reason = new Error('enough');

  it('that was given already sends nothing', async () => {
    const signal = AbortSignal.abort(reason);
    await expect(peer.client().call(contract.listContacts, { signal })).rejects.toBe(reason);
    expect(peer.received).toEqual([]);
  });

  it('stops a request that is under way, and it is not sent again', async () => {
    peer.answers({ fault: 'hang' });
    const stopper = new AbortController();
    const call = peer.client().call(contract.listContacts, { signal: stopper.signal });
    await expect.poll(() => peer.received.length).toBe(1);
    stopper.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(peer.received).toHaveLength(1);
  });

  it('ends a pause at once', async () => {
    peer.answers({ status: 429, headers: { 'retry-after': '20' } });
    const stopper = new AbortController();
    // With the clock of the machine: it would wait 20 seconds.
    const client = createClient({ baseUrl: peer.url, token: 'x' });
    const call = client.call(contract.listContacts, { signal: stopper.signal });
    await expect.poll(() => peer.received.length).toBe(1);
    setTimeout(() => stopper.abort(reason), 20);
    await expect(call).rejects.toBe(reason);
  });
});

it('gives an attempt that hangs up after a while, and makes another', async () => {
  peer.answers({ fault: 'hang' }, envelope({ id: 'c1' }));
  const client = peer.client({ patience: { timeoutMs: 50 } });
  expect((await client.call(contract.getContact, { params: { id: 'c1' } })).data).toEqual({ id: 'c1' });
  peer.answers({ fault: 'hang' });
  const patch = client.call(contract.updateContact, { params: { id: 'c1' }, body: { properties: {} } });
  await expect(patch).rejects.toThrow('The service did not answer within 0.05 seconds.');
});
