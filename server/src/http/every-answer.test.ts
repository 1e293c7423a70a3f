import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../test/app.js';
import { isoTime, malformed, refusalsOf, unknownId } from '../../test/refusals.js';
import { buildApp } from '../app.js';
import type { Clock } from '../lib/clock.js';

// Time stands still within a test, so a spent budget stays spent however slow the machine is.
let elapsed = 0;
const clock: Clock = { now: () => new Date(), elapsed: () => elapsed };
const t = useApp({ clock });
let port = 0;
let tenant: TenantClient;

beforeAll(async () => {
  await t.app.http.listen({ host: '127.0.0.1', port: 0 });
  port = (t.app.http.server.address() as AddressInfo).port;
  tenant = await t.tenant();
});
beforeEach(() => {
  elapsed += 60_000;
});

const { spentTenant, raw } = refusalsOf(t, () => port);

describe('X-RateLimit-Limit', () => {
  it('is on every authenticated answer', async () => {
    const one = await t.tenant({ rateLimit: 777 });
    await one.post('/v1/lists', { name: 'taken' });
    const replies = [
      await one.get('/v2/lists'),
      await one.get('/v2/lists?pageSize=0'),
      await one.post('/v1/lists', malformed),
      await one.get(`/v1/lists/${unknownId}`),
      await one.get('/v1/nowhere'),
      await one.get('/v1/lists'),
      await one.post('/v1/lists', { name: 'taken' }),
      await one.post('/v1/lists', Buffer.alloc(10 * 1024 * 1024 + 1, 32)),
    ];
    expect(replies.map((reply) => reply.status)).toEqual([200, 400, 400, 404, 404, 405, 409, 413]);
    for (const reply of replies) expect(reply.headers['x-ratelimit-limit']).toBe('777');
    const reader = await t.tenant({ rateLimit: 778, scopes: ['READ'] });
    expect((await reader.post('/v1/lists', {})).headers['x-ratelimit-limit']).toBe('778');
    expect((await t.admin.get('/admin/tenants')).headers['x-ratelimit-limit']).toMatch(/^\d+$/);
  });

  it('is on a 500 too, which reveals no internals', async () => {
    const rows = () => Promise.reject(new Error('select secret from static_list'));
    const log = pino({ level: 'silent' });
    const broken = buildApp({ db: { ...t.db, rows }, adminToken: 'a', baseUrl: () => '', log, clock });
    const response = await broken.http.inject({
      url: '/v2/lists',
      headers: { authorization: `Bearer ${tenant.token}` },
    });
    await broken.close();
    expect(response.statusCode).toBe(500);
    expect(response.headers['x-ratelimit-limit']).toBe('1000000');
    expect(response.headers['x-request-id']).toBeTruthy();
    expect(response.json().errors[0].errorCode).toBe('INTERNAL_ERROR');
    expect(response.payload).not.toMatch(/select|secret|static_list|\.ts|at /i);
  });

  it('is on a 503 too, when the database goes away in the middle', async () => {
    const rows = () => Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }));
    const log = pino({ level: 'silent' });
    const broken = buildApp({ db: { ...t.db, rows }, adminToken: 'a', baseUrl: () => '', log, clock });
    const response = await broken.http.inject({
      url: '/v2/lists',
      headers: { authorization: `Bearer ${tenant.token}` },
    });
    await broken.close();
    expect(response.statusCode).toBe(503);
    expect(response.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(response.headers['x-ratelimit-limit']).toBe('1000000');
  });
});

describe('X-Request-Id', () => {
  it.each(['abc', 'A-1_b.c:d@e/f+g=', 'x'.repeat(128)])('is the caller’s own when it is sane: %s', async (id) => {
    const headers = { 'x-request-id': id };
    const spent = await spentTenant();
    const replies = [
      await tenant.get('/v2/lists', headers),
      await tenant.get('/v1/nowhere', headers),
      await tenant.get('/v1/lists', headers),
      await tenant.post('/v1/lists', malformed, headers),
      await t.anonymous.get('/v2/lists', headers),
      await spent.get('/v2/lists', headers),
      await t.anonymous.get('/', headers),
      await t.anonymous.get('/healthz', headers),
    ];
    for (const reply of replies) expect(reply.headers['x-request-id']).toBe(id);
  });

  it.each(['', 'two words', 'x'.repeat(129), '<script>', 'é', '"quoted"', 'a,b'])(
    'is made up instead of %j',
    async (id) => {
      const made = (await tenant.get('/v2/lists', { 'x-request-id': id })).headers['x-request-id'];
      expect(made).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it('is new on every request that brings none', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => tenant.get('/v2/lists')));
    expect(new Set(ids.map((reply) => reply.headers['x-request-id'])).size).toBe(20);
  });

  it.each([
    ['an unknown method', 'FOO /v2/lists HTTP/1.1', 400, 'VALIDATION_ERROR'],
    ['a header without a name', 'GET /v2/lists HTTP/1.1\r\n: x', 400, 'VALIDATION_ERROR'],
    ['two lengths', 'POST /v1/lists HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2', 400, 'VALIDATION_ERROR'],
    [
      'a length and chunks',
      'POST /v1/lists HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked',
      400,
      'VALIDATION_ERROR',
    ],
    ['headers of 64 KiB', `GET /v2/lists HTTP/1.1\r\nX: ${'x'.repeat(65_536)}`, 431, 'HEADERS_TOO_LARGE'],
  ])('is on the envelope for %s', async (_, head, status, errorCode) => {
    const reply = await raw(head);
    expect(reply.status).toBe(status);
    expect(reply.head).toMatch(/\r\nx-request-id: [0-9a-f-]{36}/);
    expect(JSON.parse(reply.body)).toMatchObject({ data: null, errors: [{ errorCode }], meta: { status: 'FAILURE' } });
  });
});

describe('success', () => {
  it('is 200, never 201 or 204', async () => {
    const one = await t.tenant();
    const list = await one.post('/v1/lists', { name: 'a', folder: 'f' });
    const folder = await one.post('/v2/folders', { name: 'g' });
    const listPath = `/v1/lists/${list.body.data.staticListId}`;
    const folderPath = `/v2/folders/${folder.body.data.directoryId}`;
    const admin = `/admin/tenants/${one.tenantId}`;
    const token = await t.admin.post(`${admin}/tokens`, { name: 'n', scopes: ['READ'] });
    const replies = [
      list,
      folder,
      token,
      await one.patch(listPath, { name: 'b' }),
      await one.patch(folderPath, { name: 'h' }),
      await one.delete(folderPath),
      await one.delete(listPath),
      await t.admin.post(`${admin}/accounts`, { name: 'Ada' }),
      await t.admin.post(`${admin}/sending-domains`, { domain: 'example.com' }),
      await t.admin.delete(`${admin}/sending-domains/example.com`),
      await t.admin.delete(`${admin}/tokens/${token.body.data.tokenId}`),
      await t.admin.patch(admin, { name: 'Renamed' }),
    ];
    for (const { status, body } of replies) {
      expect(status).toBe(200);
      expect(body.errors).toEqual([]);
      expect(body.meta).toEqual({ status: 'SUCCESS', timestamp: expect.stringMatching(isoTime) });
      expect(body).not.toHaveProperty('pagination');
    }
  });

  it('has no body for a HEAD that cannot be read', async () => {
    const reply = await raw(`HEAD /v2/lists HTTP/1.1\r\nX: ${'x'.repeat(60_000)}`);
    expect(reply).toMatchObject({ status: 431, body: '' });
  });
});
