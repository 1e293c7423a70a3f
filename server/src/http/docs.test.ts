import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { docsPaths, installDocs } from './docs.js';

let app: FastifyInstance;
let baseUrl: string;
/** What the responses were made from, before they were copied for the test. */
let sent: unknown[];

beforeEach(() => {
  baseUrl = 'https://one.example';
  sent = [];
  app = Fastify();
  app.addHook('onSend', async (_request, _reply, payload) => void sent.push(payload));
  installDocs(app, () => baseUrl);
});
afterEach(() => app.close());

const get = (url: string, headers = {}) => app.inject({ method: 'GET', url, headers });

describe.each(docsPaths)('%s', (path) => {
  it('is made once and held once, however often it is asked for', async () => {
    for (const encoding of ['identity', 'gzip', 'br']) {
      for (let i = 0; i < 3; i++) await get(path, { 'accept-encoding': encoding });
      expect(new Set(sent.splice(0)).size).toBe(1);
    }
  });

  it('is compressed for clients that support it, and the same for all', async () => {
    const plain = await get(path);
    expect(plain.headers['content-encoding']).toBeUndefined();
    const zipped = await get(path, { 'accept-encoding': 'deflate, gzip' });
    expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(gunzipSync(zipped.rawPayload).equals(plain.rawPayload)).toBe(true);
    const smaller = await get(path, { 'accept-encoding': 'gzip, deflate, br' });
    expect(smaller.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(smaller.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect((await get(path, { 'accept-encoding': 'br;q=0, gzip; q=0.0' })).body).toBe(plain.body);
  });

  it('is not sent again to those who have it', async () => {
    for (const encoding of ['identity', 'gzip', 'br']) {
      const { headers } = await get(path, { 'accept-encoding': encoding });
      for (const known of [headers.etag, `W/${headers.etag}`, `"other", ${headers.etag}`]) {
        const again = await get(path, { 'accept-encoding': encoding, 'if-none-match': known });
        expect([again.statusCode, again.body]).toEqual([304, '']);
        expect(again.headers.etag).toBe(headers.etag);
      }
    }
    expect((await get(path, { 'if-none-match': '"other"' })).statusCode).toBe(200);
  });
});

it('documents are made anew when the base URL is known', async () => {
  const before = await get('/docs');
  baseUrl = 'https://two.example';
  const after = await get('/docs');
  expect(before.body).toContain('https://one.example');
  expect(after.body).not.toContain('https://one.example');
  expect(after.headers.etag).not.toBe(before.headers.etag);
});
