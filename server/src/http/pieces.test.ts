// Bodies in tiny pieces, on real sockets: a client library would join them.
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../lib/clock.js';
import { createServer } from './server.js';
import { installStreamed } from './stream-body.js';

const open = { config: { area: 'open', isUncounted: true } } as const;
let app: FastifyInstance;
let seen: Buffer[] = [];
let socket: Socket;
let answer = '';

beforeEach(async () => {
  const log = pino({ level: 'silent' }) as FastifyBaseLogger;
  const refuse = () => ({ status: 401, headers: {} }) as const;
  const guards = { api: refuse, admin: refuse, ingest: refuse };
  const others = { clock: systemClock, log, limits: { goodbye: 50 }, whyUnavailable: () => undefined };
  app = createServer({ endpoints: [], guards, pageKeyGuard: refuse, ...others });
  app.post('/body', open, async (request) => `${JSON.stringify(request.body).length} characters`);
  app.post('/guarded', async () => 'never');
  installStreamed(app, (scope) =>
    scope.post('/stream', open, async (request) => {
      for await (const piece of request.raw.iterator({ destroyOnReturn: false })) seen.push(piece);
      return `${seen.reduce((sum, { length }) => sum + length, 0)} bytes`;
    }),
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  seen = [];
  answer = '';
  socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket
    .on('error', () => undefined)
    .on('data', (text) => {
      answer += text;
    });
});
afterEach(async () => {
  socket.destroy();
  await app.close();
});

const head = (path: string) =>
  `POST ${path} HTTP/1.1\r\nHost: rapport\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const end = '0\r\n\r\n';
const dust = Array.from(`{"a":"${'x'.repeat(7000)}"}`, chunk).join('');

async function hears(what: RegExp): Promise<void> {
  while (!what.test(answer)) await once(socket, 'data');
}

it('a body in pieces of a byte is read whole, as long as there are not many', async () => {
  socket.write(head('/body') + dust + end);
  await hears(/^HTTP\/1\.1 200 [\s\S]*7008 characters/);
});

it('one that goes on like that is refused, and the connection closed', async () => {
  socket.write(head('/body') + chunk('x').repeat(200_000));
  await once(socket, 'close');
  expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*must come in larger pieces/);
});

it('so is one that is streamed', async () => {
  socket.write(head('/stream') + chunk('x').repeat(200_000));
  await once(socket, 'close');
  expect(answer).toMatch(/^HTTP\/1\.1 [45]\d\d /);
  expect(seen.length).toBeLessThan(20);
});

it('so is the unread body of a request that was refused before', async () => {
  socket.write(head('/guarded'));
  await hears(/^HTTP\/1\.1 401 /);
  socket.write(chunk('x').repeat(200_000));
  await once(socket, 'close');
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
});

it('the connection of a refused request goes on behind a body of usual pieces', async () => {
  socket.write(head('/guarded'));
  await hears(/^HTTP\/1\.1 401 /);
  socket.write(chunk('x'.repeat(100)).repeat(20_000) + end + head('/body') + chunk('{}') + end);
  await hears(/HTTP\/1\.1 200 [\s\S]*2 characters/);
});

it('small pieces are joined: memory holds what the body has, and not as many buffers', async () => {
  socket.write(head('/stream') + chunk('x'.repeat(20)).repeat(50_000) + end);
  await hears(/1000000 bytes/);
  expect(seen.length).toBeLessThan(1_000_000 / 2000);
});

it('what trickles is handed on before the body ends', async () => {
  socket.write(head('/stream') + chunk('first'));
  while (seen.length === 0) await new Promise(setImmediate);
  expect(String(seen[0])).toBe('first');
  socket.write(chunk('second') + end);
  await hears(/11 bytes/);
});
