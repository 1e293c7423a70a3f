// Real servers on loopback. Here 127.0.0.1 is the public internet, 127.0.0.2 the internal network.
import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import { createServer, type Socket } from 'node:net';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { useDns } from '../../../../test/dns.js';
import { useReceiver } from '../../../../test/receiver.js';
import { certificate, privateKey } from '../../../../test/sns-certificate.js';
import { isPublicAddress } from './address.js';
import { type Call, Caller } from './caller.js';
import { resolver } from './resolve.js';

const dns = useDns();
const outside = useReceiver();
const inside = useReceiver('127.0.0.2');
const allows = (address: string) => address === '127.0.0.1' || isPublicAddress(address);
const callers: Caller[] = [];

beforeEach(() => {
  dns.clear();
  outside.reset();
  inside.reset();
});
afterAll(() => {
  for (const caller of callers) caller.close();
});

function attempt(url: string, over: Partial<Call> = {}) {
  const caller = new Caller({ resolve: resolver([dns.address], allows), allows });
  callers.push(caller);
  return caller.attempt(callTo(url, over));
}

function callTo(url: string, over: Partial<Call> = {}): Call {
  return {
    ...{ method: 'POST', url, headers: { 'webhook-id': 'x' }, ownHeaders: { authorization: 'Bearer own' } },
    ...{ body: '{"a":1}', timeoutMs: 5000, wants: 'json' },
    ...over,
  };
}

const named = (name: string) => `http://${name}:${outside.port}/hook`;

describe('a call', () => {
  it('arrives, and its answer is read', async () => {
    expect(await attempt(outside.url)).toEqual({
      kind: 'answered',
      status: 200,
      retryAfter: undefined,
      body: { ok: true },
    });
    expect(outside.received[0]).toMatchObject({ method: 'POST', path: '/hook', body: '{"a":1}' });
    expect(outside.received[0]?.headers).toMatchObject({ 'webhook-id': 'x', authorization: 'Bearer own' });
  });

  it('goes to the address of a name, and sends the name', async () => {
    dns.set('A', 'hook.example', '127.0.0.1');
    expect(await attempt(named('hook.example'))).toMatchObject({ status: 200 });
    expect(outside.received[0]?.headers.host).toBe(`hook.example:${outside.port}`);
  });

  it('says what is wrong when nothing listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    server.close();
    await once(server, 'close');
    expect(await attempt(`http://127.0.0.1:${port}/`)).toEqual({
      kind: 'failed',
      why: 'It refused the connection (ECONNREFUSED).',
    });
    expect(await attempt(named('nowhere.example'))).toEqual({
      kind: 'failed',
      why: 'The name nowhere.example does not exist.',
    });
    dns.moods.set('broken.example', 'servfail');
    expect(await attempt(named('broken.example'))).toEqual({ kind: 'failed', why: 'DNS failed (ESERVFAIL).' });
  });

  it('ends when there is no answer in time', async () => {
    outside.answer = () => undefined;
    expect(await attempt(outside.url, { timeoutMs: 200 })).toEqual({
      kind: 'failed',
      why: 'It did not answer within 0.2 seconds.',
    });
    dns.moods.set('silent.example', 'silent');
    expect(await attempt(named('silent.example'), { timeoutMs: 200 })).toMatchObject({ kind: 'failed' });
  });

  it('ends when the answer is not HTTP, or the connection breaks', async () => {
    const answers = ['SSH-2.0-OpenSSH_9.6\r\n', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`, ''];
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined).once('data', () => socket.end(answers[sockets.length - 1] ?? ''));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
    for (const _ of answers) expect(await attempt(url)).toMatchObject({ kind: 'failed' });
    server.close();
  });

  it('sends the name to a server over TLS, and trusts no self-signed certificate', async () => {
    dns.set('A', 'sns.test', '127.0.0.1');
    const names: string[] = [];
    const server = createTlsServer({
      cert: certificate,
      key: privateKey,
      SNICallback: (name, done) => {
        names.push(name);
        done(null);
      },
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    expect(await attempt(`https://sns.test:${port}/`)).toMatchObject({
      kind: 'failed',
      why: expect.stringMatching(/certificate may not be valid \(DEPTH_ZERO_SELF_SIGNED_CERT\)/),
    });
    expect(names).toEqual(['sns.test']);
    server.close();
  });

  it('reuses a connection, and opens another if that was just closed', async () => {
    const caller = new Caller({ resolve: resolver([dns.address], allows), allows });
    callers.push(caller);
    const ports = new Set<number>();
    outside.answer = (_request, response) => {
      ports.add(response.socket?.remotePort ?? 0);
      response.end('{}');
    };
    for (let i = 0; i < 3; i++) await caller.attempt(callTo(outside.url));
    expect(ports.size).toBe(1);
    let isFirst = true;
    outside.answer = (_request, response) => {
      if (isFirst) response.socket?.destroy();
      else response.end('{}');
      isFirst = false;
    };
    expect(await caller.attempt(callTo(outside.url))).toMatchObject({ status: 200 });
  });
});

describe('an answer', () => {
  it.each([true, false])('of 100 MB is not read to its end, whether it says its length (%s)', async (hasLength) => {
    const whole = 100 * 1024 * 1024;
    let sent = 0;
    const closed = new Promise<void>((resolve) => {
      outside.answer = (_request, response) => {
        if (hasLength) response.setHeader('content-length', whole);
        response.on('close', resolve);
        const chunk = Buffer.alloc(64 * 1024, ' ');
        const more = () => {
          while (sent < whole && !response.destroyed) {
            sent += chunk.length;
            if (!response.write(chunk)) return void response.once('drain', more);
          }
          response.end();
        };
        more();
      };
    });
    expect(await attempt(outside.url)).toEqual({ kind: 'answered', status: 200, retryAfter: undefined });
    await closed;
    // Only what the sockets' buffers hold was sent.
    expect(sent).toBeLessThan(whole / 4);
  });

  it('that never ends counts by its status, and the connection is closed', async () => {
    const closed = new Promise<void>((resolve) => {
      outside.answer = (_request, response) => {
        response.on('close', resolve);
        response.write('{"a":');
      };
    });
    expect(await attempt(outside.url, { timeoutMs: 300 })).toEqual({
      kind: 'answered',
      status: 200,
      retryAfter: undefined,
    });
    await closed;
  });

  it('that is not needed is not waited for', async () => {
    outside.answer = (_request, response) => void response.write('x');
    const outcome = await attempt(outside.url, { timeoutMs: 60_000, wants: 'nothing' });
    expect(outcome).toEqual({ kind: 'answered', status: 200, retryAfter: undefined });
  });
});

describe('the guard', () => {
  it('refuses internal addresses, also behind names, and one internal address among public ones', async () => {
    expect(await attempt(inside.url)).toMatchObject({ kind: 'refused', why: expect.stringContaining('127.0.0.2') });
    dns.set('A', 'inside.example', '127.0.0.2');
    dns.set('A', 'mixed.example', '127.0.0.1', '10.0.0.1');
    dns.set('AAAA', 'six.example', '::ffff:7f00:1');
    for (const name of ['inside.example', 'mixed.example', 'six.example'])
      expect(await attempt(named(name))).toMatchObject({ kind: 'refused' });
    expect(inside.received).toEqual([]);
    expect(outside.received).toEqual([]);
  });

  it('calls the address that it checked, although the name resolves to another one next time', async () => {
    let asked = 0;
    const rebinding = async () => [{ address: asked++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 as const }];
    const caller = new Caller({ resolve: rebinding, allows });
    callers.push(caller);
    const url = `http://rebind.example:${outside.port}/`;
    expect(await caller.attempt(callTo(url, { headers: { connection: 'close' } }))).toMatchObject({ status: 200 });
    expect(asked).toBe(1);
    expect(await caller.attempt(callTo(url))).toMatchObject({ kind: 'refused' });
    expect(asked).toBe(2);
    expect(outside.received).toHaveLength(1);
  });

  it('checks every hop of a redirect', async () => {
    dns.set('A', 'inside.example', '127.0.0.2');
    for (const location of [
      inside.url,
      `http://inside.example:${inside.port}/`,
      'http://2130706434/',
      'file:///etc/passwd',
    ]) {
      outside.answer = (_request, response) => response.writeHead(307, { location }).end();
      expect(await attempt(outside.url)).toMatchObject({ kind: 'refused' });
    }
    expect(inside.received).toEqual([]);
  });
});

describe('a redirect', () => {
  const to = (status: number, location: string) => {
    outside.answer = ({ path }, response) =>
      path === '/hook' ? void response.writeHead(status, { location }).end() : void response.end('{"there":true}');
  };

  it.each([307, 308])('with %i is followed, with the body', async (status) => {
    to(status, '/there');
    expect(await attempt(outside.url)).toMatchObject({ status: 200, body: { there: true } });
    expect(outside.received[1]).toMatchObject({ method: 'POST', path: '/there', body: '{"a":1}' });
  });

  it.each([301, 302, 303])('with %i is followed by a GET only', async (status) => {
    to(status, '/there');
    expect(await attempt(outside.url, { method: 'GET', body: '' })).toMatchObject({ status: 200 });
    expect(await attempt(outside.url)).toMatchObject({ kind: 'answered', status });
  });

  it('is followed three times', async () => {
    const count = (hops: number) => {
      outside.reset();
      outside.answer = (_request, response) =>
        outside.received.length <= hops
          ? void response.writeHead(307, { location: `/${outside.received.length}` }).end()
          : void response.end();
      return attempt(outside.url);
    };
    expect(await count(3)).toMatchObject({ status: 200 });
    expect(await count(4)).toEqual({ kind: 'failed', why: 'It redirected more than 3 times.' });
  });

  it('sends the headers of a step only to its own origin', async () => {
    dns.set('A', 'other.example', '127.0.0.1');
    to(307, named('other.example').replace('/hook', '/there'));
    await attempt(outside.url);
    expect(outside.received[1]?.headers).toMatchObject({ 'webhook-id': 'x' });
    expect(outside.received[1]?.headers.authorization).toBeUndefined();
  });
});
