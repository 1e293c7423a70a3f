// Misused connections: raw sockets against the server, with limits short enough to wait for.
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../lib/clock.js';
import { type ConnectionLimits, connectionLimits } from './connections.js';
import { installPreview } from './console-preview.js';
import { installHealth } from './health.js';
import { installRequestLog } from './request-log.js';
import { createServer } from './server.js';
import { installStreamed } from './stream-body.js';

const open = { config: { area: 'open', isUncounted: true } } as const;
const fat = Buffer.alloc(16 * 1024 * 1024, 'x');
const limits: Partial<ConnectionLimits> = { headers: 300, body: 500, idle: 600, answer: 900, look: 50 };
let app: FastifyInstance;
let answerSlowly: (answer: string) => void;
let served: string[];
let logged: { level: number; msg: string; status?: number }[];
let sockets: Socket[];
/** The server's view of connections: a client that does not read does not notice that it was cut off. */
let connections: Set<Socket>;

async function start(limits: Partial<ConnectionLimits> = {}): Promise<void> {
  const log = pino({}, { write: (line) => void logged.push(JSON.parse(line)) }) as FastifyBaseLogger;
  const refuse = () => ({ status: 401, headers: {} }) as const;
  const guards = { api: refuse, admin: refuse, ingest: refuse };
  const others = { clock: systemClock, log, limits, whyUnavailable: () => undefined };
  app = createServer({ endpoints: [], guards, pageKeyGuard: refuse, ...others });
  app.addHook('onRequest', async (request) => void served.push(request.url));
  installRequestLog(app);
  installHealth(app, { ping: async () => undefined, clock: systemClock, isDraining: () => false });
  installPreview(app, '/console/preview');
  app.get('/fat', open, async () => fat);
  app.get('/crowd', { config: { area: 'open' } }, async () => fat);
  app.get('/n/:n', open, async (request) => `<${(request.params as { n: string }).n}>`);
  app.post('/body', open, async () => 'read');
  app.get('/slow', open, () => new Promise((resolve) => (answerSlowly = resolve)));
  installStreamed(app, (scope) =>
    scope.post('/stream', open, async (request) => {
      let bytes = 0;
      for await (const chunk of request.raw.iterator({ destroyOnReturn: false })) bytes += chunk.length;
      return `${bytes} bytes`;
    }),
  );
  const mine = new Set<Socket>();
  connections = mine;
  app.server.on('connection', (socket: Socket) => {
    mine.add(socket);
    socket.once('close', () => mine.delete(socket));
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
}

beforeEach(() => {
  [served, logged, sockets] = [[], [], []];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
});

interface Talk {
  socket: Socket;
  text(): string;
  closed: Promise<void>;
}

/** Sends text on a new connection. Reads the responses, unless told not to. */
function say(text: string, { reads = true } = {}): Talk {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  const received: Buffer[] = [];
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  if (reads) socket.on('data', (chunk) => void received.push(chunk));
  else socket.pause();
  socket.write(text);
  return { socket, text: () => Buffer.concat(received).toString('latin1'), closed };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: rapport\r\n\r\n`;
const post = (path: string, length: number, type = 'application/json') =>
  `POST ${path} HTTP/1.1\r\nHost: rapport\r\nSec-Fetch-Site: same-origin\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;

async function until(happened: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1000 && !happened(); tries++) await sleep(10);
  expect(happened()).toBe(true);
}

async function health(): Promise<number> {
  const { port } = app.server.address() as AddressInfo;
  return (await fetch(`http://127.0.0.1:${port}/healthz`)).status;
}

describe('a client that does not read', () => {
  it('has one answer waiting on each connection, whatever it asks for', async () => {
    await start({ unread: Number.POSITIVE_INFINITY });
    const before = process.memoryUsage().rss;
    for (let i = 0; i < 20; i++) say(get('/fat').repeat(100), { reads: false });
    // What its client does not read waits in the server, so by then the other requests have arrived as well.
    await until(() => connections.size === 20 && [...connections].every(({ writableLength }) => writableLength > 0));
    expect(served).toEqual(Array(20).fill('/fat'));
    expect(await health()).toBe(200);
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * 1024 * 1024);
  });

  it('loses the connection when nothing moves', async () => {
    await start({ ...limits, answer: 60_000 });
    say(get('/fat'), { reads: false });
    await until(() => served.length === 1);
    await until(() => connections.size === 0);
  });

  it('loses it too when it reads on and on, a little at a time', async () => {
    await start({ ...limits, idle: 60_000 });
    const { socket } = say(get('/fat'), { reads: false });
    const trickle = setInterval(() => socket.read(1), 20);
    await until(() => served.length === 1);
    await until(() => connections.size === 0);
    clearInterval(trickle);
  });

  it('is cut off first when all that waits unread is too much', async () => {
    await start({ look: 50, unread: 40 * 1024 * 1024 });
    say(get('/fat'), { reads: false });
    await until(() => served.length === 1);
    const [first] = connections;
    await sleep(200);
    for (let i = 0; i < 3; i++) say(get('/fat'), { reads: false });
    await until(() => served.length === 4 && connections.size === 2);
    await sleep(200);
    expect(connections.size).toBe(2);
    expect(connections).not.toContain(first);
  });

  it('is answered again when it reads', async () => {
    await start();
    const { socket } = say(get('/fat') + get('/n/1'), { reads: false });
    await until(() => served.length === 1);
    let length = 0;
    socket.on('data', (chunk) => {
      length += chunk.length;
    });
    socket.resume();
    await until(() => length > fat.length && served.length === 2);
  });
});

describe('requests that are sent ahead', () => {
  it('are answered in order', async () => {
    await start();
    const numbers = Array.from({ length: 100 }, (_, i) => i);
    const { socket, text } = say(numbers.map((n) => get(`/n/${n}`)).join(''));
    await until(() => text().includes('<99>'));
    socket.write(`${post('/body', 2)}{}${get('/n/100')}${get('/n/101')}`);
    await until(() => text().includes('<101>'));
    expect([...text().matchAll(/<(\d+)>|(read)/g)].map(([found]) => found)).toEqual([
      ...numbers.map((n) => `<${n}>`),
      'read',
      '<100>',
      '<101>',
    ]);
  });

  it('are neither taken nor all read when they are too many', async () => {
    await start();
    let read = 0;
    app.server.on('request', () => read++);
    say(get('/fat').repeat(1500), { reads: false });
    await until(() => served.length > 0 && connections.size === 0);
    expect([served.length, read <= 1 + connectionLimits.pipelined]).toEqual([1, true]);
    expect(await health()).toBe(200);
  });
});

describe('a request that does not arrive', () => {
  it('is given up when its headers take too long', async () => {
    await start(limits);
    const { text, closed } = say('GET /n/1 HTTP/1.1\r\nHost: rap');
    await closed;
    expect(text()).toMatch(/^HTTP\/1\.1 408 [\s\S]*"errorCode":"REQUEST_TIMEOUT"/);
  });

  it('is given up when its body takes too long, though it comes bit by bit', async () => {
    await start(limits);
    const { socket, text, closed } = say(`${post('/body', 1000)}{"name":"`);
    const trickle = setInterval(() => socket.write('x'), 50);
    await closed;
    clearInterval(trickle);
    expect(text()).toMatch(/^HTTP\/1\.1 408 [\s\S]*x-request-id: [\s\S]*"errorCode":"REQUEST_TIMEOUT"/);
    expect(logged.filter(({ level }) => level >= 40)).toEqual([]);
  });

  it('is given up when it was refused and goes on', async () => {
    await start(limits);
    const { socket, text, closed } = say(post('/v2/lists', 1000));
    const trickle = setInterval(() => socket.write('x'), 50);
    await closed;
    clearInterval(trickle);
    expect(text()).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('is waited for while it is a stream that makes progress', async () => {
    await start(limits);
    const { socket, text } = say(post('/stream', 20, 'text/csv'));
    for (let i = 0; i < 20; i++) {
      await sleep(60);
      socket.write('x');
    }
    await until(() => text().includes('20 bytes'));
  });

  it('is given up when it is a stream that makes none', async () => {
    await start(limits);
    const { closed } = say(`${post('/stream', 20, 'text/csv')}xxx`);
    await closed;
    expect(logged.filter(({ level }) => level >= 40)).toEqual([]);
  });
});

describe('clients without a token', () => {
  it('have a limited number of previews in flight', async () => {
    await start();
    const size = 11 * 1024 * 1024;
    const before = process.memoryUsage().rss;
    const talks = Array.from({ length: 120 }, () => {
      const talk = say(post('/console/preview', size + 1, 'application/x-www-form-urlencoded'));
      talk.socket.write(fat.subarray(0, 1024 * 1024));
      return talk;
    });
    await until(() => talks.filter(({ text }) => text().startsWith('HTTP/1.1 503 ')).length === 112);
    expect(await health()).toBe(200);
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * 1024 * 1024);
    for (const { socket } of talks) socket.destroy();
    await until(() => connections.size <= 1);
    const html = 'html=%3Cp%3E';
    const { text } = say(post('/console/preview', html.length, 'application/x-www-form-urlencoded') + html);
    await until(() => text().endsWith('<p>'));
  });

  it('have a limited number of answers waiting per address, health checks not counted', async () => {
    await start({ unread: Number.POSITIVE_INFINITY });
    for (let i = 0; i < 256; i++) say(get('/crowd'), { reads: false });
    await until(() => served.length === 256);
    const { text } = say(get('/crowd'));
    await until(() => text().includes('"errorCode":"NOT_READY"'));
    expect(text()).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 1/);
    expect(await health()).toBe(200);
  });
});

describe('what Node would refuse without an envelope', () => {
  it.each([
    ['no Host', 'GET /n/1 HTTP/1.1\r\n\r\n', 400, 'VALIDATION_ERROR'],
    ['no Host before the token', 'GET /v2/lists HTTP/1.1\r\n\r\n', 400, 'VALIDATION_ERROR'],
    ['a strange Expect', 'GET /n/1 HTTP/1.1\r\nHost: rapport\r\nExpect: a-pony\r\n\r\n', 417, 'EXPECTATION_FAILED'],
  ])('is in one: %s', async (_what, request, status, code) => {
    await start();
    const { text } = say(request);
    await until(() => text().includes('"FAILURE"'));
    expect(text()).toMatch(new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*x-request-id: [\\s\\S]*"errorCode":"${code}"`));
  });

  it('HTTP/1.0 needs no Host, and 100-continue is answered', async () => {
    await start();
    const old = say('GET /n/1 HTTP/1.0\r\n\r\n');
    await until(() => old.text().includes('<1>'));
    const { text } = say(post('/body', 2).replace('\r\n\r\n', '\r\nExpect: 100-Continue\r\n\r\n{}'));
    await until(() => text().includes('read'));
  });
});

it.each(['/body', '/stream'])('a client that disconnects while sending to %s logs no error', async (path) => {
  await start();
  const text = `${post(path, 1000)}{"name":`;
  const { socket } = say(text);
  await until(() => served.length === 1 && [...connections].some(({ bytesRead }) => bytesRead === text.length));
  socket.resetAndDestroy();
  await until(() => logged.some(({ status }) => status !== undefined));
  await health();
  await until(() => logged.some(({ status }) => status === 200));
  expect(logged.flatMap(({ status }) => status ?? [])).toEqual([499, 200]);
  expect(logged.filter(({ level }) => level >= 40)).toEqual([]);
});

it('a client that disconnects while waiting logs no error', async () => {
  await start();
  const { socket } = say('GET /slow HTTP/1.1\r\nHost: r\r\n\r\n');
  await until(() => served.length === 1);
  socket.destroy();
  await until(() => logged.some(({ msg }) => msg === 'request'));
  answerSlowly('late');
  await health();
  await until(() => logged.some(({ status }) => status === 200));
  expect(logged.flatMap(({ status }) => status ?? [])).toEqual([499, 200]);
  expect(logged.filter(({ level }) => level >= 40)).toEqual([]);
});
