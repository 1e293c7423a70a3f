import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiFailure, createClient } from '@rapport/client';
import { importContacts } from '@rapport/contract';
import { expect, it } from 'vitest';
import { Complaint } from './complaint.js';
import { complaintOf } from './refusals.js';

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

/** What a person reads when no service answers at this address. */
async function toldOf(url: string, cause?: Error): Promise<string> {
  const fetch = cause && (() => Promise.reject(new TypeError('fetch failed', { cause })));
  const client = createClient({ baseUrl: url, token: 'x', ...(fetch ? { fetch } : {}) });
  const failure = await client.call(importContacts, { body: file(), contentType: 'text/csv' }).catch((error) => error);
  const complaint = complaintOf(failure, url);
  expect(complaint).toBeInstanceOf(Complaint);
  return (complaint as Complaint).message;
}

it('says that no service is there', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise((resolve) => server.close(resolve));
  expect(await toldOf(url)).toBe(
    `No service answers at ${url}. Start one with npm start, or name it with --url or RAPPORT_URL.`,
  );
});

it('says that a port is one that no web service is asked at', async () => {
  expect(await toldOf('http://127.0.0.1:6000')).toContain(
    'Port 6000 in http://127.0.0.1:6000 is one that no web service',
  );
});

it.each([
  ['ENOTFOUND', 'There is no machine named rapport.test'],
  ['EHOSTUNREACH', 'https://rapport.test cannot be reached from here'],
  ['UND_ERR_CONNECT_TIMEOUT', 'https://rapport.test cannot be reached from here'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'does not speak https. Try it with http:// instead.'],
  ['HPE_INVALID_CONSTANT', 'is no web service. Check the port'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'The certificate of https://rapport.test is not accepted'],
  ['EODD', 'No service answers at https://rapport.test (EODD). Start one with npm start'],
])('says what %s means', async (code, told) => {
  expect(await toldOf('https://rapport.test', Object.assign(new Error(`${code} it failed`), { code }))).toContain(told);
});

it('says that an answer was late', () => {
  const late = new ApiFailure(0, [
    { errorCode: 'NO_ANSWER', message: 'The service did not answer within 60 seconds. Try again.' },
  ]);
  expect(String(complaintOf(late, 'http://x.test'))).toContain(
    'http://x.test did not answer within 60 seconds. Try again.',
  );
});

it('leaves a bug a bug', () => {
  const bug = new TypeError('x is undefined');
  expect(complaintOf(bug, 'URL')).toBe(bug);
});
