import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { usePeer } from '../test/peer.js';
import { ApiFailure } from './index.js';

const peer = usePeer();
const path = '/exports/transactions/1-x/errors';
const rows = { body: 'row,email\r\n'.repeat(100) };

it('downloads a file, after waiting for a service that was away', async () => {
  peer.answers({ status: 503 }, rows);
  const response = await peer.client().download(path);
  expect(response).toMatchObject({ ok: true, status: 200 });
  expect(response.headers.get('x-request-id')).toBe('req-1');
  expect(await response.text()).toBe(rows.body);
  expect(peer.received[1]).toMatchObject({ url: path });
  peer.answers({ status: 401 });
  await expect(peer.client().download('/exports/x')).rejects.toMatchObject({ status: 401 });
});

describe('a file that stops coming', () => {
  const impatient = (timeoutMs = 100) => peer.client({ patience: { timeoutMs, attempts: 1 } });

  it('ends after the time of an attempt, however it is read', async () => {
    peer.answers({ ...rows, fault: 'stall' });
    const told = { status: 0, errorCode: 'NO_ANSWER', message: expect.stringContaining('within 0.1 seconds') };
    await expect((await impatient().download(path)).text()).rejects.toMatchObject(told);
    const { body } = await impatient().download(path);
    const pieces: Uint8Array[] = [];
    const reading = (async () => {
      for await (const piece of body ?? []) pieces.push(piece);
    })();
    await expect(reading).rejects.toMatchObject(told);
    expect(Buffer.concat(pieces).toString()).toBe(rows.body.slice(0, rows.body.length / 2));
  });

  it('may take longer than that while somebody reads slowly', async () => {
    peer.answers(rows);
    // Long enough for a busy machine to answer in.
    const { body } = await impatient(2000).download(path);
    let read = 0;
    for await (const piece of body ?? []) {
      await sleep(2200);
      read += piece.byteLength;
    }
    expect(read).toBe(rows.body.length);
  });

  it('is no answer when it breaks off', async () => {
    peer.answers({ ...rows, fault: 'half' });
    const failure = await (await impatient().download(path)).text().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiFailure);
    expect(failure).toMatchObject({ status: 0, errorCode: 'NO_ANSWER' });
  });
});

describe('the signal of a download', () => {
  it('stops the body too', async () => {
    peer.answers({ ...rows, fault: 'stall' });
    const stopper = new AbortController();
    const response = await peer.client().download(path, { signal: stopper.signal });
    const reading = response.text();
    stopper.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
  });

  it('is ignored once the body is read or discarded', async () => {
    peer.answers(rows);
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--;
      remove(...args);
    };
    await (await peer.client().download(path, { signal })).text();
    expect(listeners).toBe(0);
    await (await peer.client().download(path, { signal })).body?.cancel();
    expect(listeners).toBe(0);
  });
});
