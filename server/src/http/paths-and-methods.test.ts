import type { AddressInfo } from 'node:net';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../test/app.js';
import { expectEmpty, expectFailure, refusalsOf, unknownId } from '../../test/refusals.js';
import type { Clock } from '../lib/clock.js';

// Time stands still within a test, so a spent budget stays spent however slow the machine is.
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

const { raw } = refusalsOf(t, () => port);

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

  it('serves a percent-encoded path with a token', async () => {
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
