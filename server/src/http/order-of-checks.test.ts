// Section 1 of the contract's decisions: which refusal wins, and what every answer carries.
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { pino } from 'pino';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { badToken, challenge, type Reply, type TenantClient, useApp } from '../../test/app.js';
import { buildApp } from '../app.js';
import type { Clock } from '../lib/clock.js';

// Time stands still within a test, so that a spent budget stays spent however slow the machine is.
let elapsed = 0;
const clock: Clock = { now: () => new Date(), elapsed: () => elapsed };
const t = useApp({ clock });
let port = 0;
let tenant: TenantClient;
let listId = '';

beforeAll(async () => {
  await t.app.http.listen({ host: '127.0.0.1', port: 0 });
  port = (t.app.http.server.address() as AddressInfo).port;
  tenant = await t.tenant();
  listId = (await tenant.post('/v1/lists', { name: 'known' })).body.data.staticListId;
});
beforeEach(() => {
  elapsed += 60_000;
});

const malformed = '{"name":';
const unknownId = '0'.repeat(24);
const wellFormedToken = `rpt_pat_${'x'.repeat(43)}`;
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

async function spentTenant(scopes?: string[]): Promise<TenantClient> {
  const spent = await t.tenant({ rateLimit: 1, ...(scopes ? { scopes } : {}) });
  await spent.get('/v1/nowhere');
  return spent;
}

function expectEmpty(reply: Reply, status: number): void {
  expect(reply.status).toBe(status);
  expect(reply.text).toBe('');
  expect(reply.headers['content-length']).toBe('0');
  expect(reply.headers).not.toHaveProperty('content-type');
}

function expectFailure(reply: Reply, status: number, errorCode: string): void {
  expect(reply.status).toBe(status);
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(reply.body.data).toBeNull();
  expect(reply.body.errors.length).toBeGreaterThan(0);
  expect(reply.body.errors[0]).toMatchObject({ errorCode, message: expect.any(String) });
  expect(reply.body.meta).toEqual({ status: 'FAILURE', timestamp: expect.stringMatching(isoTime) });
  expect(reply.body).not.toHaveProperty('pagination');
}

/** Bytes on a socket, for what a client library would tidy up. */
async function raw(head: string, body = ''): Promise<{ status: number; head: string; body: string }> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(`${head}\r\nHost: rapport.test\r\nConnection: close\r\n\r\n${body}`);
  await once(socket, 'close');
  const text = Buffer.concat(chunks).toString('utf8');
  const at = text.indexOf('\r\n\r\n');
  return { status: Number(text.slice(9, 12)), head: text.slice(0, at).toLowerCase(), body: text.slice(at + 4) };
}

describe('a request that breaks several rules at once', () => {
  it.each([
    ['POST', '/v1/nowhere'],
    ['PUT', '/v1/lists'],
    ['PATCH', `/v1/lists/${unknownId}`],
    ['GET', '/v2/lists?pageSize=0'],
    ['PROPFIND', '/v2/lists'],
  ])('gets 401 before anything else: %s %s', async (method, path) => {
    const body = method === 'GET' ? undefined : malformed;
    expectEmpty(await t.anonymous.send(method, path, body), 401);
    expectEmpty(await t.withToken('guess').send(method, path, body), 401);
    expectEmpty(await t.withToken(wellFormedToken).send(method, path, body), 401);
  });

  it.each([
    ['POST', '/v1/nowhere'],
    ['PUT', '/v1/lists'],
    ['PATCH', `/v1/lists/${unknownId}`],
  ])('gets 429 before 403, 404, 405 and 400: %s %s', async (method, path) => {
    const spent = await spentTenant(['READ']);
    expectEmpty(await spent.send(method, path, malformed), 429);
  });

  it.each([
    ['READ', 'POST', '/v1/nowhere'],
    ['READ', 'PUT', '/v1/lists'],
    ['READ', 'POST', '/v1/lists'],
    ['READ', 'DELETE', `/v1/lists/${unknownId}`],
    ['READ', 'PROPFIND', '/v1/lists'],
    ['WRITE', 'GET', '/v1/nowhere'],
    ['WRITE', 'GET', '/v1/lists'],
    ['WRITE', 'GET', '/v2/lists?pageSize=0'],
    ['WRITE', 'HEAD', '/v2/lists'],
    ['WRITE', 'OPTIONS', '/v2/lists'],
  ])('with only %s gets 403 before 404, 405 and 400: %s %s', async (scope, method, path) => {
    const limited = await t.tenant({ scopes: [scope] });
    expectEmpty(await limited.send(method, path, method === 'POST' ? malformed : undefined), 403);
  });

  it.each(['/v1/nowhere', '/v1/lists/a/b', '/v1', '/v2/', '/v1/folders', '/v1/journeys'])(
    'gets 404 before the body of POST %s is looked at',
    async (path) => {
      expectFailure(await tenant.post(path, malformed), 404, 'NOT_FOUND');
      expectFailure(await tenant.post(path, 'a,b', { 'content-type': 'text/csv' }), 404, 'NOT_FOUND');
    },
  );

  it('gets 405 before the body is looked at, even one that is too large', async () => {
    expectFailure(await tenant.put('/v1/lists', malformed), 405, 'METHOD_NOT_ALLOWED');
    expectFailure(await tenant.put('/v1/lists', Buffer.alloc(10 * 1024 * 1024 + 1)), 405, 'METHOD_NOT_ALLOWED');
  });

  it('gets 400 for its shape before 404 for what it is about', async () => {
    expectFailure(await tenant.patch(`/v1/lists/${unknownId}`, malformed), 400, 'VALIDATION_ERROR');
    expectFailure(await tenant.patch(`/v2/folders/${unknownId}`, { name: 7 }), 400, 'VALIDATION_ERROR');
    expectFailure(await t.admin.patch('/admin/tenants/999999', { rateLimit: 0 }), 400, 'VALIDATION_ERROR');
    expectFailure(await t.admin.get('/admin/tenants/999999/tokens?pageSize=0'), 400, 'VALIDATION_ERROR');
  });

  it('gets 400 for its shape before 409 for a taken name', async () => {
    expectFailure(await tenant.post('/v1/lists', { name: 'known', folder: 7 }), 400, 'VALIDATION_ERROR');
    expectFailure(
      await tenant.post('/v1/lists', { name: 'known' }, { 'idempotency-key': '' }),
      400,
      'VALIDATION_ERROR',
    );
  });

  it('gets 404 for what it is about before 409 for a taken name', async () => {
    await tenant.post('/v2/folders', { name: 'known' });
    expectFailure(await tenant.patch(`/v1/lists/${unknownId}`, { name: 'known' }), 404, 'NOT_FOUND');
    expectFailure(await tenant.patch(`/v2/folders/${unknownId}`, { name: 'known' }), 404, 'NOT_FOUND');
  });
});

describe('401', () => {
  it('names the scheme and no budget', async () => {
    const reply = await t.anonymous.get('/v2/lists');
    expectEmpty(reply, 401);
    expect(reply.headers['www-authenticate']).toBe(challenge);
    expect(reply.headers).not.toHaveProperty('x-ratelimit-limit');
  });

  // RFC 6750, 3.1: who did not try to authenticate is told no error.
  it.each([
    ['no token', undefined, challenge],
    ['another scheme', 'Basic eDp5', challenge],
    ['the scheme alone', 'Bearer', challenge],
    ['an unknown token', 'Bearer guess', badToken],
    ['a malformed token', 'bearer one two', badToken],
  ])('says what is wrong with the token: %s', async (_, authorization, told) => {
    for (const path of ['/v2/lists', '/v1/nowhere']) {
      const reply = await t.anonymous.get(path, authorization === undefined ? {} : { authorization });
      expectEmpty(reply, 401);
      expect(reply.headers['www-authenticate']).toBe(told);
    }
    const admin = await t.anonymous.get('/admin/tenants', authorization === undefined ? {} : { authorization });
    expectEmpty(admin, 401);
    expect(admin.headers['www-authenticate']).toBe(told === badToken ? 'Bearer error="invalid_token"' : 'Bearer');
  });

  it.each(['bearer', 'BEARER', 'bEaReR', 'Bearer  '])('is not for the scheme word %j', async (word) => {
    expect((await t.anonymous.get('/v2/lists', { authorization: `${word} ${tenant.token}` })).status).toBe(200);
  });

  it.each([
    ['the token alone', (token: string) => token],
    ['another scheme', (token: string) => `Basic ${token}`],
    ['no space', (token: string) => `Bearer${token}`],
    ['no token', () => 'Bearer '],
    ['an empty header', () => ''],
    ['two tokens', (token: string) => `Bearer ${token} ${token}`],
    ['a token and more', (token: string) => `Bearer ${token}x`],
    ['a shortened token', (token: string) => `Bearer ${token.slice(0, -1)}`],
    ['a token of another case', (token: string) => `Bearer ${token.toUpperCase()}`],
    ['a quoted token', (token: string) => `Bearer "${token}"`],
  ])('is for %s', async (_, header) => {
    expectEmpty(await t.anonymous.get('/v2/lists', { authorization: header(tenant.token) }), 401);
  });

  it('is for the administrator under /v1 and /v2, and for a tenant under /admin', async () => {
    expectEmpty(await t.admin.get('/v2/lists'), 401);
    expectEmpty(await tenant.get('/admin/tenants'), 401);
    expectEmpty(await tenant.get('/admin/nowhere'), 401);
    expectEmpty(await tenant.get('/metrics'), 401);
  });

  it('is for a token in the query string or the body', async () => {
    expectEmpty(await t.anonymous.get(`/v2/lists?access_token=${tenant.token}`), 401);
    expectEmpty(await t.anonymous.post('/v1/lists', { access_token: tenant.token, name: 'x' }), 401);
  });

  it('draws on nobody’s budget', async () => {
    const one = await t.tenant({ rateLimit: 1 });
    for (let i = 0; i < 3; i++) await t.withToken(`${one.token}x`).get('/v2/lists');
    expect((await one.get('/v2/lists')).status).toBe(200);
  });
});

describe('429', () => {
  it('says when to come back and what the budget is', async () => {
    const reply = await (await spentTenant()).get('/v2/lists');
    expectEmpty(reply, 429);
    expect(reply.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(reply.headers['x-ratelimit-limit']).toBe('1');
  });

  it('is over once the caller has waited that long', async () => {
    const spent = await spentTenant();
    const { headers } = await spent.get('/v2/lists');
    elapsed += 1000 * Number(headers['retry-after']);
    expect((await spent.get('/v2/lists')).status).toBe(200);
  });

  it('counts every request of the tenant, refused ones with 403, 404, 405 and 400 too', async () => {
    const reader = await t.tenant({ rateLimit: 5, scopes: ['READ'] });
    const statuses = [
      (await reader.post('/v1/lists', { name: 'x' })).status,
      (await reader.get('/v1/nowhere')).status,
      (await reader.get('/v1/lists')).status,
      (await reader.get('/v2/lists?pageSize=0')).status,
      (await reader.get('/v2/lists')).status,
      (await reader.get('/v2/lists')).status,
    ];
    expect(statuses).toEqual([403, 404, 405, 400, 200, 429]);
  });

  it('is shared by every token of a tenant and by no other tenant', async () => {
    const one = await spentTenant();
    const made = await t.admin.post(`/admin/tenants/${one.tenantId}/tokens`, { name: 'second', scopes: ['READ'] });
    expectEmpty(await t.withToken(made.body.data.token).get('/v2/lists'), 429);
    expect((await (await t.tenant({ rateLimit: 1 })).get('/v2/lists')).status).toBe(200);
  });
});

describe('scopes', () => {
  it('are independent: WRITE does not read and READ does not write', async () => {
    const reader = await t.tenant({ scopes: ['READ'] });
    const writer = await t.tenant({ scopes: ['WRITE'] });
    expect((await reader.get('/v2/lists')).status).toBe(200);
    expectEmpty(await reader.post('/v1/lists', { name: 'r' }), 403);
    const { staticListId } = (await writer.post('/v1/lists', { name: 'w' })).body.data;
    expectEmpty(await writer.get('/v2/lists'), 403);
    expectEmpty(await writer.get(`/v1/lists/${staticListId}`), 403);
    expect((await writer.patch(`/v1/lists/${staticListId}`, { name: 'w2' })).status).toBe(200);
    expect((await writer.delete(`/v1/lists/${staticListId}`)).status).toBe(200);
  });

  it.each([
    [['READ'], 'DELETE', '/v1/lists/x', 'WRITE'],
    [['READ'], 'POST', '/v2/nowhere', 'WRITE'],
    [['WRITE'], 'GET', '/v2/lists', 'READ'],
    [['WRITE'], 'HEAD', '/v2/lists', 'READ'],
  ])('that a token lacks are named: %j and %s %s', async (scopes, method, path, needed) => {
    const reply = await (await t.tenant({ scopes })).send(method, path);
    expectEmpty(reply, 403);
    expect(reply.headers['www-authenticate']).toBe(`${challenge}, error="insufficient_scope", scope="${needed}"`);
  });
});

describe('404 and 405', () => {
  it.each([
    ['GET', '/v1/lists', 'POST'],
    ['HEAD', '/v1/lists', 'POST'],
    ['PUT', '/v2/lists', 'GET, HEAD, POST'],
    ['OPTIONS', '/v2/lists', 'GET, HEAD, POST'],
    ['TRACE', '/v2/lists', 'GET, HEAD, POST'],
    ['PROPFIND', '/v2/lists', 'GET, HEAD, POST'],
    ['PURGE', '/v2/lists', 'GET, HEAD, POST'],
    ['M-SEARCH', '/v2/lists', 'GET, HEAD, POST'],
    ['DELETE', '/v1/lists', 'POST'],
    ['POST', '/v1/lists/x', 'DELETE, GET, HEAD, PATCH'],
    ['POST', '/v1/lists/a%2Fb', 'DELETE, GET, HEAD, PATCH'],
    ['POST', '/v1/lists/%zz', 'DELETE, GET, HEAD, PATCH'],
    ['GET', '/v2/folders/x', 'DELETE, PATCH'],
    ['PUT', '/v2/lists/?pageSize=0', 'GET, HEAD, POST'],
    ['GET', '/v1/contacts/batch', 'POST'],
    ['HEAD', '/v1/contacts/batch', 'POST'],
    ['PATCH', '/v2/contacts/batch', 'POST'],
    ['PUT', '/v2/contacts/batch', 'POST'],
    ['DELETE', '/v2/contacts/import/', 'POST'],
  ])('%s %s is 405 with Allow: %s', async (method, path, allow) => {
    const reply = await tenant.send(method, path);
    expect(reply.headers.allow).toBe(allow);
    if (method === 'HEAD') expect(reply.status).toBe(405);
    else expectFailure(reply, 405, 'METHOD_NOT_ALLOWED');
  });

  it('tells an administrator the same', async () => {
    const reply = await t.admin.put('/admin/tenants', {});
    expectFailure(reply, 405, 'METHOD_NOT_ALLOWED');
    expect(reply.headers.allow).toBe('GET, HEAD, POST');
    expectFailure(await t.admin.get('/admin/nowhere'), 404, 'NOT_FOUND');
  });

  it.each([
    '/v1/journeys',
    '/v1/folders',
    '/v1/nowhere',
    '/v1',
    '/v2',
    '/v1/',
    '/v1/Lists',
    '/v1/lists/x/nothing',
    '/v2//lists',
    '/v2/lists%2Fx',
    '/v1/%ff',
  ])('GET %s is 404 with a token and 401 without', async (path) => {
    expectFailure(await tenant.get(path), 404, 'NOT_FOUND');
    expectEmpty(await t.anonymous.get(path), 401);
  });

  it.each(['PURGE', 'OPTIONS', 'POST'])('%s on an unknown path is 404, not 405', async (method) => {
    const reply = await tenant.send(method, '/v1/nowhere');
    expectFailure(reply, 404, 'NOT_FOUND');
    expect(reply.headers).not.toHaveProperty('allow');
  });

  it.each([
    '/favicon.ico',
    '/v3/lists',
    '/v10/lists',
    '/v1lists',
    '/V1/lists',
    '/lists',
    '/administration',
    '/%ff',
    '/docs/x',
  ])('GET %s, outside of /v1 and /v2, is 404 and asks for no token', async (path) => {
    const reply = await t.anonymous.get(path);
    expectFailure(reply, 404, 'NOT_FOUND');
    expect(reply.headers['x-request-id']).toBeTruthy();
  });
});

describe('another spelling of a path', () => {
  it.each([
    '/%76%31/lists',
    '/v%31/lists/x',
    '/v%32/lists',
    '/%76%32%2Flists',
    '/v1%2Flists',
    '/%61dmin/tenants',
    '/admin%2Ftenants',
  ])('does not get past the guard: %s', async (path) => {
    for (const method of ['GET', 'POST', 'PATCH', 'HEAD']) {
      const { status } = await t.anonymous.send(method, path);
      expect([401, 429]).toContain(status);
    }
  });

  it.each([
    '/../v2/lists',
    '/x/../v2/lists',
    '//v2/lists',
    '/./v2/lists',
    '/%2e/v2/lists',
    '\\v2\\lists',
    '/v2/lists;x=1',
    '/;/v2/lists',
  ])('is never served without a token: %s', async (path) => {
    const reply = await raw(`GET ${path} HTTP/1.1`);
    expect([400, 401, 404]).toContain(reply.status);
    expect(reply.body).not.toContain('SUCCESS');
  });

  it.each(['/v2/lists', '/v2/nowhere', '/admin/nowhere', '/v2?x=/'])(
    'is guarded in the absolute form that proxies use: %s',
    async (path) => {
      expect((await raw(`GET http://rapport.test${path} HTTP/1.1`)).status).toBe(401);
    },
  );

  it.each(['/metrics/', '/%6detrics'])('does not get past the guard: %s', async (path) => {
    expectEmpty(await t.anonymous.get(path), 401);
    expectEmpty(await t.anonymous.send('HEAD', path), 401);
  });

  it('serves a percent-encoded path to who has a token', async () => {
    expect((await tenant.get('/%76%32/lists')).status).toBe(200);
  });

  it.each([
    ['GET', () => '/v2/lists/', undefined],
    ['GET', () => '/v2/lists/?pageSize=1', undefined],
    ['GET', () => `/v1/lists/${listId}/`, undefined],
    ['HEAD', () => `/v1/lists/${listId}/`, undefined],
    ['PATCH', () => `/v1/lists/${listId}/`, { name: 'known' }],
    ['POST', () => '/v2/folders/', { name: 'slash' }],
  ])('may end in a slash: %s %#', async (method, path, body) => {
    expect((await tenant.send(method, path(), body)).status).toBe(200);
  });
});

describe('HEAD', () => {
  it.each([
    ['/v2/lists', 200],
    ['/v2/lists?pageSize=0', 400],
    [`/v1/lists/${unknownId}`, 404],
    ['/v1/nowhere', 404],
    ['/v1/lists', 405],
  ])('%s answers as GET does', async (path, status) => {
    const [head, get] = [await tenant.send('HEAD', path), await tenant.get(path)];
    expect([head.status, get.status]).toEqual([status, status]);
    for (const name of ['content-type', 'x-ratelimit-limit', 'allow'])
      expect(head.headers[name]).toBe(get.headers[name]);
  });

  it('sends no body', async () => {
    for (const path of ['/v2/lists', '/v2/lists?pageSize=0', `/v1/lists/${unknownId}`, '/v1/nowhere', '/v1/lists']) {
      const reply = await raw(`HEAD ${path} HTTP/1.1\r\nAuthorization: Bearer ${tenant.token}`);
      expect(reply.body).toBe('');
    }
    expect(await raw('HEAD /v2/lists HTTP/1.1')).toMatchObject({ status: 401, body: '' });
  });
});

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

  it('is on a 500 too, which tells nothing about the inside', async () => {
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
    ['a method nobody knows', 'FOO /v2/lists HTTP/1.1', 400, 'VALIDATION_ERROR'],
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
