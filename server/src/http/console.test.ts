import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../lib/clock.js';
import { installConsole } from './console.js';
import { installErrorHandler } from './error-handler.js';

let dir: string;
let app: FastifyInstance;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'rapport-console-'));
  app = Fastify();
  installErrorHandler(app, systemClock, () => undefined);
  installConsole(app, { dir: join(dir, 'dist') });
});
afterEach(async () => {
  await app.close();
  await rm(dir, { recursive: true });
});

async function build(script: string): Promise<void> {
  await mkdir(join(dir, 'dist/assets'), { recursive: true });
  await writeFile(join(dir, 'dist/assets/index-1.js'), script);
  await writeFile(join(dir, 'dist/assets/index-1.js.gz'), gzipSync(script));
  await writeFile(
    join(dir, 'dist/index.html'),
    '<meta name="style-nonce" content="__STYLE_NONCE__"><meta name="build" content="__BUILD_ID__">',
  );
  await writeFile(join(dir, 'secret.js'), 'secret');
}
const get = (url: string, headers = {}) => app.inject({ method: 'GET', url, headers });

it('is what / redirects to', async () => {
  const { statusCode, headers } = await get('/');
  expect([statusCode, headers.location]).toEqual([302, '/console']);
});

describe('the pages of the console', () => {
  it('are announced while they are being built, and there without a restart', async () => {
    const early = await get('/console');
    expect(early.statusCode).toBe(503);
    expect(early.headers['retry-after']).toBe('3');
    expect(early.body).toContain('being built');
    await build('1');
    expect((await get('/console')).statusCode).toBe(200);
    await writeFile(join(dir, 'dist/assets/index-2.js'), '2');
    await utimes(join(dir, 'dist/index.html'), 1, 1);
    expect((await get('/console/assets/index-2.js')).body).toBe('2');
  });

  it('are one page at every address, with a policy whose nonce is new each time', async () => {
    await build('1');
    const nonces = new Set<string>();
    for (const path of ['/console', '/console/emails', '/console/emails/123/activity']) {
      const { statusCode, headers, body } = await get(path);
      expect(statusCode).toBe(200);
      const policy = String(headers['content-security-policy']);
      const nonce = /content="([\w-]{20,})"/.exec(body)?.[1] ?? 'none';
      expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`);
      expect(policy).toContain("default-src 'none'; script-src 'self';");
      expect(policy).not.toContain('unsafe');
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'cache-control': 'no-store',
      });
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(3);
  });
});

describe('GET /console/build', () => {
  it('tells a tab whether its page is of this build, whatever file changed', async () => {
    const idOf = async () => {
      const { statusCode, headers, body } = await get('/console/build');
      expect([statusCode, headers['cache-control']]).toEqual([200, 'no-store']);
      return JSON.parse(body).build;
    };
    expect(await idOf()).toBeNull();
    await build('1');
    const first = await idOf();
    expect(first).toMatch(/^[0-9a-f]{16}$/);
    expect((await get('/console/emails')).body).toContain(`<meta name="build" content="${first}">`);
    await writeFile(join(dir, 'dist/assets/late-2.js'), '2');
    await utimes(join(dir, 'dist/index.html'), 1, 1);
    expect(await idOf()).not.toBe(first);
  });
});

describe('the files of the console', () => {
  it('are cached forever, and compressed for clients that support it', async () => {
    await build('a script');
    const { headers, body } = await get('/console/assets/index-1.js');
    expect(body).toBe('a script');
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    const small = await get('/console/assets/index-1.js', { 'accept-encoding': 'gzip, br' });
    expect(small.headers['content-encoding']).toBe('gzip');
    expect(small.rawPayload).toEqual(gzipSync('a script'));
    for (const refusal of ['gzip;q=0', 'gzip; q=0.0, br'])
      expect((await get('/console/assets/index-1.js', { 'accept-encoding': refusal })).body).toBe('a script');
  });

  it.each([
    '../../secret.js',
    '..%2f..%2fsecret.js',
    '%2e%2e/%2e%2e/secret.js',
    'index-1.js.gz',
    'gone.js',
    '',
    '__proto__',
  ])('are only those that were built: not %s', async (name) => {
    await build('1');
    const { statusCode, body } = await get(`/console/assets/${name}`);
    expect(body).not.toContain('secret');
    expect([200, 404]).toContain(statusCode);
    if (statusCode === 200) expect(body).toContain('style-nonce');
  });
});

describe('POST /console/preview', () => {
  const post = (
    payload: string,
    type = 'application/x-www-form-urlencoded',
    from: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
  ) => app.inject({ method: 'POST', url: '/console/preview', payload, headers: { 'content-type': type, ...from } });

  it.each<[Record<string, string>, number]>([
    [{ 'sec-fetch-site': 'same-origin' }, 200],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'none' }, 403],
    [{ 'sec-fetch-site': 'cross-site', origin: 'http://rapport.test', host: 'rapport.test' }, 403],
    // Over plain http, browsers send only their origin.
    [{ origin: 'http://rapport.test', host: 'rapport.test' }, 200],
    [{ origin: 'http://evil.example', host: 'rapport.test' }, 403],
    [{ origin: 'null', host: 'rapport.test' }, 403],
    [{}, 403],
  ])('answers what a page of our own sent, with %j: %i', async (from, status) => {
    const reply = await post('html=hello', undefined, from);
    expect(reply.statusCode).toBe(status);
    expect(reply.body.includes('hello')).toBe(status === 200);
    expect(reply.headers['content-security-policy']).toMatch(/^sandbox; /);
  });

  it('answers the HTML in a sandbox', async () => {
    const html = '<p style="color: red">1 + 1 &amp; "Grüße" %20</p><script>x</script>';
    const { statusCode, headers, body } = await post(new URLSearchParams({ html }).toString());
    expect(statusCode).toBe(200);
    expect(body).toBe(html);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['x-content-type-options']).toBe('nosniff');
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^sandbox; default-src 'none'; /);
    expect(policy).not.toMatch(/script|allow-/);
  });

  it('accepts up to 4 MiB however they are encoded', async () => {
    const most = 4 * 1024 * 1024;
    expect((await post(`html=${'%3C'.repeat(most)}`)).body).toHaveLength(most);
    const { statusCode, headers } = await post(`html=${'%3C'.repeat(most + 1)}`);
    expect(statusCode).toBe(413);
    expect(headers['content-security-policy']).toMatch(/^sandbox;/);
  });

  it.each([
    ['nothing', '', 'application/x-www-form-urlencoded'],
    ['another field', 'text=x', 'application/x-www-form-urlencoded'],
    ['two fields', 'html=x&html=y', 'application/x-www-form-urlencoded'],
    ['broken encoding', 'html=%E4%', 'application/x-www-form-urlencoded'],
    ['JSON', '{"html":"x"}', 'application/json'],
  ])('refuses %s, shut in too', async (_what, payload, type) => {
    const { statusCode, headers } = await post(payload, type);
    expect(statusCode).toBe(400);
    expect(headers['content-security-policy']).toMatch(/^sandbox;/);
  });
});
