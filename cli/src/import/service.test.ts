import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '@rapport/client';
import { importContacts } from '@rapport/contract';
import { expect, it } from 'vitest';
import { Complaint } from '../complaint.js';
import { complaintOf } from './service.js';

async function* file() {
  yield Buffer.from('email\n');
}

/** What a person reads when a service answers like this. */
async function toldAfter(answer: RequestListener, body: AsyncIterable<Uint8Array> = file()): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createClient({ baseUrl: url, token: 'x' });
  const complaint = await client.call(importContacts, { body, contentType: 'text/csv' }).then(
    () => expect.unreachable(),
    (error: unknown) => complaintOf(error, url),
  );
  server.closeAllConnections();
  server.close();
  expect(complaint).toBeInstanceOf(Complaint);
  return (complaint as Complaint).message.replace(url, 'URL');
}

const envelope = (...messages: string[]) =>
  JSON.stringify({ data: null, errors: messages.map((message) => ({ errorCode: 'VALIDATION_ERROR', message })) });

it.each<[string, RequestListener, string]>([
  ['401', (_, to) => to.writeHead(401).end(), 'URL does not know this token. Give another with --token'],
  ['403', (_, to) => to.writeHead(403).end(), 'This token lacks a scope: importing needs WRITE'],
  ['429', (_, to) => to.writeHead(429).end(), 'The tenant is over its rate limit. Wait a little'],
  ['400', (_, to) => to.writeHead(400).end(envelope('Line 2.', 'Line 3.')), 'Line 2.\nLine 3.\nNothing was imported.'],
  ['500', (_, to) => to.writeHead(500).end(envelope('Try again.')), 'Try again.'],
  ['another program', (_, to) => to.writeHead(404).end('<html>'), 'answered 404. Is it Rapport that listens at URL?'],
  ['a web page', (_, to) => to.writeHead(200).end('<html>'), 'answered 200. Is it Rapport that listens at URL?'],
  ['a cut', (from) => from.socket.destroy(), 'The connection to URL broke. Run the command again'],
])('says what to do after %s', async (_, answer, told) => expect(await toldAfter(answer)).toContain(told));

it('says when it is the file that cannot be read', async () => {
  async function* broken() {
    yield Buffer.from('email\n');
    throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', path: 'contacts.csv' });
  }
  const told = await toldAfter((request) => request.resume(), broken());
  expect(told).toBe('The file cannot be read: EIO: i/o error, read. Nothing was imported.');
});

it('says that nobody is there', async () => {
  const client = createClient({ baseUrl: 'http://127.0.0.1:9', token: 'x' });
  const failure = await client.call(importContacts, { body: file(), contentType: 'text/csv' }).catch((error) => error);
  expect(String(complaintOf(failure, 'URL'))).toMatch(/No service answers at URL.*Start one with npm start/);
});

it('leaves a bug a bug', () => {
  const bug = new TypeError('x is undefined');
  expect(complaintOf(bug, 'URL')).toBe(bug);
});
