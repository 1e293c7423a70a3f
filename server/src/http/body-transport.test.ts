import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../test/app.js';
import { isJsonType } from './json.js';
import { bodyLimit } from './server.js';

const t = useApp();
let tenant: TenantClient;
let fresh = 0;

beforeAll(async () => {
  tenant = await t.tenant();
  await t.app.http.listen({ host: '127.0.0.1', port: 0 });
});
beforeEach(() => {
  fresh++;
});

function expectInvalid(reply: Reply, detail?: string): void {
  expect(reply.status).toBe(400);
  expect(reply.body).toMatchObject({ data: null, meta: { status: 'FAILURE' } });
  for (const item of reply.body.errors) expect(item.errorCode).toBe('VALIDATION_ERROR');
  if (detail) expect(reply.body.errors[0].detail).toBe(detail);
}

/** A JSON body of exactly this many bytes. */
function bodyOf(bytes: number): Buffer {
  const [head, tail] = ['{"name":"', '"}'];
  return Buffer.from(head + 'x'.repeat(bytes - head.length - tail.length) + tail);
}

function openRequest(method: string, path: string, headers: Record<string, string | number>): ClientRequest {
  const { port } = t.app.http.server.address() as AddressInfo;
  const open = request({ host: '127.0.0.1', port, method, path, agent: false });
  for (const [name, value] of Object.entries({ authorization: `Bearer ${tenant.token}`, ...headers }))
    open.setHeader(name, value);
  // The server may disconnect a client that keeps sending after the response.
  open.on('error', () => undefined);
  return open;
}

async function answerOf(
  open: ClientRequest,
): Promise<{ status: number | undefined; body: ReturnType<typeof JSON.parse> }> {
  const [message] = (await once(open, 'response')) as [IncomingMessage];
  const chunks = await message.toArray();
  open.destroy();
  return { status: message.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) };
}

describe('the transport', () => {
  it('takes 10 MiB, so that an oversized field gets its own 400', async () => {
    expect(bodyLimit).toBe(10 * 1024 * 1024);
    expectInvalid(await tenant.post('/v1/lists', bodyOf(bodyLimit)), 'name');
  });

  it('refuses one byte more with 413', async () => {
    const reply = await tenant.post('/v1/lists', bodyOf(bodyLimit + 1));
    expect(reply.status).toBe(413);
    expect(reply.body).toMatchObject({
      data: null,
      errors: [{ errorCode: 'PAYLOAD_TOO_LARGE' }],
      meta: { status: 'FAILURE' },
    });
  });

  it('refuses too large a Content-Length without waiting for the bytes', async () => {
    const open = openRequest('POST', '/v1/lists', {
      'content-type': 'application/json',
      'content-length': bodyLimit + 1,
    });
    open.flushHeaders();
    expect(await answerOf(open)).toMatchObject({ status: 413, body: { errors: [{ errorCode: 'PAYLOAD_TOO_LARGE' }] } });
  });

  it('accepts a body in chunks of any size', async () => {
    const open = openRequest('POST', '/v1/lists', { 'content-type': 'application/json' });
    const text = Buffer.from(JSON.stringify({ name: `chunks 😀 ${fresh}` }));
    for (const byte of text) open.write(Buffer.from([byte]));
    open.end();
    expect(await answerOf(open)).toMatchObject({ status: 200, body: { data: { name: `chunks 😀 ${fresh}` } } });
  });

  it('treats an empty chunked body as an empty one', async () => {
    const open = openRequest('POST', '/v1/lists', { 'transfer-encoding': 'chunked' });
    open.end();
    expect(await answerOf(open)).toMatchObject({ status: 400, body: { errors: [{ errorCode: 'VALIDATION_ERROR' }] } });
  });

  it('refuses chunks that add up to too much with 413', async () => {
    const open = openRequest('POST', '/v1/lists', { 'content-type': 'application/json' });
    const answered = answerOf(open);
    open.write(bodyOf(bodyLimit));
    open.write(' ');
    expect(await answered).toMatchObject({ status: 413, body: { errors: [{ errorCode: 'PAYLOAD_TOO_LARGE' }] } });
  });

  it('lets a client that is still sending read the 413, and does not reset the connection', async () => {
    const { port } = t.app.http.server.address() as AddressInfo;
    const socket = connect({ host: '127.0.0.1', port });
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    const length = bodyLimit * 2;
    socket.write(
      `POST /v1/lists HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.token}\r\nContent-Length: ${length}\r\n\r\n`,
    );
    const part = Buffer.alloc(length / 64, ' ');
    for (let i = 0; i < 64; i++) if (!socket.write(part)) await once(socket, 'drain');
    while (!answer.includes('\r\n\r\n')) await once(socket, 'data');
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    socket.destroy();
  });

  it('takes exactly 10 MiB in chunks', async () => {
    const open = openRequest('POST', '/v1/lists', { 'content-type': 'application/json' });
    open.write(bodyOf(bodyLimit));
    open.end();
    expect(await answerOf(open)).toMatchObject({ status: 400, body: { errors: [{ detail: 'name' }] } });
  });

  it('does not act on an incomplete body', async () => {
    const open = openRequest('POST', '/v1/lists', { 'content-type': 'application/json', 'content-length': 1000 });
    open.write(`{"name":"broken off ${fresh}"}`);
    await new Promise<void>((resolve) => open.on('socket', (socket) => socket.on('connect', () => resolve())));
    open.destroy();
    await new Promise<void>((resolve) => open.on('close', resolve));
    expect((await tenant.get(`/v2/lists?search=${encodeURIComponent('broken off')}`)).body.data).toEqual([]);
  });
});

describe('any JSON value as the body of POST /v1/lists', () => {
  it('is answered with 200, 400 or 409', async () => {
    const value = fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' });
    const list = fc.record(
      { name: fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), value), folder: value },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(value, list), async (body) => {
        const reply = await tenant.post('/v1/lists', JSON.stringify(body));
        expect([200, 400, 409]).toContain(reply.status);
        expect(reply.body.meta.status).toBe(reply.status === 200 ? 'SUCCESS' : 'FAILURE');
      }),
      { numRuns: 400 },
    );
  });

  it('is answered with 400 when it is no JSON at all', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 64 }), async (bytes) => {
        const { status } = await tenant.post('/v1/lists', Buffer.from(bytes));
        expect(status).toBe(400);
      }),
      { numRuns: 200 },
    );
  });
});

describe('isJsonType', () => {
  it('reads the longest header a request may bring in one pass', () => {
    for (const filler of [' ', ';', '; ', ';a=', '"', '+']) {
      const header = `application/json;${filler.repeat(16_000 / filler.length)}x`;
      // A backtracking pattern took most of a second here; it would exceed the test's own timeout.
      for (let i = 0; i < 40; i++) isJsonType(header);
    }
    expect(isJsonType(`application/json;${' '.repeat(16_000)}`)).toBe(true);
  });

  it('sees through every parameter but the charset', () => {
    expect(isJsonType(undefined)).toBe(true);
    expect(isJsonType('')).toBe(false);
    expect(isJsonType('application/json;')).toBe(true);
    expect(isJsonType('application/json; Charset = UTF-8 ;v=1')).toBe(true);
    expect(isJsonType('application/json; v=1; charset=ascii')).toBe(false);
    expect(isJsonType('application/json charset=utf-8')).toBe(false);
    expect(isJsonType('application/+json')).toBe(false);
  });
});
