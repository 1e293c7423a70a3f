import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import * as contract from '@rapport/contract';
import { expect, it } from 'vitest';
import { envelope, refusal, usePeer } from '../test/peer.js';
import { createClient } from './index.js';

const peer = usePeer();
const text = 'email\nada@example.com\n';
const contentType = 'text/csv';

it('sends a Blob as it is, and again after a refusal that did nothing', async () => {
  peer.answers({ status: 503 }, envelope({ transactionId: '1-x' }));
  const body = new Blob([text]);
  const { data } = await peer.client().call(contract.importContacts, { body, contentType });
  expect(data.transactionId).toBe('1-x');
  expect(peer.received.map((each) => [each.headers['content-type'], each.body])).toEqual(
    Array(2).fill([contentType, text]),
  );
});

it('sends a stream piece by piece, tells how far it is, and never twice', async () => {
  peer.answers(envelope({ transactionId: '1-x' }));
  const sent: number[] = [];
  const body = () => Readable.from([Buffer.from('email\n'), Buffer.from('ada@example.com\n')]);
  const onSent = (bytes: number) => sent.push(bytes);
  await peer.client().call(contract.importContacts, { body: body(), contentType, onSent });
  expect(peer.received[0]?.body).toBe(text);
  expect(sent).toEqual([6, 22]);
  peer.answers({ status: 429, headers: { 'retry-after': '1' } });
  const again = peer.client().call(contract.importContacts, { body: body(), contentType });
  await expect(again).rejects.toMatchObject({ status: 429, retryAfter: 1 });
  expect(peer.received).toHaveLength(2);
});

it('takes an answer that comes before the end of the file, and stops reading it', async () => {
  const server = createServer((request, response) => {
    request.on('error', () => undefined);
    // As the service does it: answer, and let the rest come.
    request.once('data', () => {
      const { status, body } = refusal(400, 'VALIDATION_ERROR', 'Line 1 is broken.');
      response.writeHead(status ?? 0).end(JSON.stringify(body));
      request.resume();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  let pieces = 0;
  let closed = false;
  async function* endless() {
    try {
      for (; pieces < 100_000; pieces++) yield Buffer.alloc(16_384, 'x');
    } finally {
      closed = true;
    }
  }
  const client = createClient({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 'x' });
  const call = client.call(contract.importContacts, { body: endless(), contentType });
  await expect(call).rejects.toThrow('Line 1 is broken.');
  await expect.poll(() => closed).toBe(true);
  expect(pieces).toBeLessThan(100_000);
  server.closeAllConnections();
  server.close();
});

it('lets go of a file that it never began to send', async () => {
  const source = Readable.from([Buffer.from('email\n')]);
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(peer.client().call(contract.importContacts, { body: source, contentType, signal })).rejects.toThrow(
    'enough',
  );
  await expect.poll(() => source.destroyed).toBe(true);
});

it('passes on what is wrong with the file itself', async () => {
  async function* broken() {
    yield Buffer.from('email\n');
    throw new Error('the disk is gone');
  }
  const call = peer.client().call(contract.importContacts, { body: broken(), contentType });
  const failure = await call.catch((error: unknown) => error);
  expect(failure).toMatchObject({ status: 0 });
  const causes = [failure, (failure as Error).cause, ((failure as Error).cause as Error)?.cause].map(String);
  expect(causes.join(' ')).toContain('the disk is gone');
});
