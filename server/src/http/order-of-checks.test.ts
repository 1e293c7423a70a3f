import type { AddressInfo } from 'node:net';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { badToken, challenge, type TenantClient, useApp } from '../../test/app.js';
import { expectEmpty, expectFailure, malformed, refusalsOf, unknownId } from '../../test/refusals.js';
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
  await tenant.post('/v1/lists', { name: 'known' });
});
beforeEach(() => {
  elapsed += 60_000;
});
const wellFormedToken = `rpt_pat_${'x'.repeat(43)}`;

const { spentTenant } = refusalsOf(t, () => port);

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

  // RFC 6750, 3.1: a client that did not try to authenticate gets no error code.
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

  it('draws on no budget', async () => {
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
