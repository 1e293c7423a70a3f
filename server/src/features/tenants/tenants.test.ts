import { beforeEach, describe, expect, it } from 'vitest';
import { adminToken, useApp } from '../../../test/app.js';
import { expectFailure, tenantsOf } from '../../../test/tenants.js';
import type { Clock } from '../../lib/clock.js';
import { timeZoneOf } from './time-zone.js';

// Time moves only when a test says so: budgets are counted exactly and tokens expire on cue.
let elapsed = 0;
const clock: Clock = { now: () => new Date(Date.UTC(2026, 10, 15) + elapsed), elapsed: () => elapsed };
const t = useApp({ clock });
beforeEach(() => {
  elapsed += 60_000;
});

const { newTenant, newToken } = tenantsOf(t);

describe('/admin/tenants', () => {
  it('creates a tenant with a budget of 1,000 requests a second by default', async () => {
    const made = await t.admin.post('/admin/tenants', { name: ' Acme ' });
    expect(made.status).toBe(200);
    expect(made.body.data).toEqual({ tenantId: expect.any(Number), name: 'Acme', rateLimit: 1000, timeZone: null });
    const fast = await t.admin.post('/admin/tenants', { name: 'Fast', rateLimit: 1_000_000 });
    expect(fast.body.data.rateLimit).toBe(1_000_000);
    const slow = await t.admin.post('/admin/tenants', { name: 'Slow', rateLimit: 1 });
    expect(slow.body.data.rateLimit).toBe(1);
    expect((await t.admin.post('/admin/tenants', { name: 'Null', rateLimit: null })).body.data.rateLimit).toBe(1000);
  });

  it.each([
    [{}, 'name'],
    [{ name: null }, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ name: 'a', timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ name: 'a', timeZone: '+01:00' }, 'timeZone'],
    [{ name: 'a', timeZone: '' }, 'timeZone'],
    [{ name: 'a', timeZone: 7 }, 'timeZone'],
    [{ name: 'a', rateLimit: 0 }, 'rateLimit'],
    [{ name: 'a', rateLimit: -1 }, 'rateLimit'],
    [{ name: 'a', rateLimit: 1_000_001 }, 'rateLimit'],
    [{ name: 'a', rateLimit: 1.5 }, 'rateLimit'],
    [{ name: 'a', rateLimit: '100' }, 'rateLimit'],
    [{ name: 'a', rateLimit: 1e300 }, 'rateLimit'],
  ])('refuses %j, naming %s', async (body, field) => {
    expectFailure(await t.admin.post('/admin/tenants', body), 400, 'VALIDATION_ERROR', field);
  });

  it('keeps the time zone of a tenant: UTC until it is given, changed and cleared by PATCH alone', async () => {
    const made = await t.admin.post('/admin/tenants', { name: 'Berlin', timeZone: 'Europe/Berlin' });
    const { tenantId } = made.body.data;
    expect(made.body.data.timeZone).toBe('Europe/Berlin');
    expect(await timeZoneOf(t.db, tenantId)).toBe('Europe/Berlin');
    const path = `/admin/tenants/${tenantId}`;
    expect((await t.admin.patch(path, { name: 'Still' })).body.data.timeZone).toBe('Europe/Berlin');
    expect((await t.admin.patch(path, { timeZone: 'Asia/Kathmandu' })).body.data.timeZone).toBe('Asia/Kathmandu');
    expectFailure(await t.admin.patch(path, { timeZone: 'Nowhere' }), 400, 'VALIDATION_ERROR', 'timeZone');
    expect(await timeZoneOf(t.db, tenantId)).toBe('Asia/Kathmandu');
    expect((await t.admin.patch(path, { timeZone: null })).body.data.timeZone).toBeNull();
    expect(await timeZoneOf(t.db, tenantId)).toBe('UTC');
  });

  it('lists tenants, newest first, in pages', async () => {
    const [first, second] = [await newTenant({ name: 'first' }), await newTenant({ name: 'second' })];
    const { data, pagination } = (await t.admin.get('/admin/tenants?pageSize=2')).body;
    expect(data).toEqual([
      { tenantId: second, name: 'second', rateLimit: 1000, timeZone: null },
      { tenantId: first, name: 'first', rateLimit: 1000, timeZone: null },
    ]);
    expect(pagination).toMatchObject({ pageNumber: 1, pageSize: 2 });
    expect(pagination.totalPages).toBe(Math.ceil(pagination.totalElements / 2));
    expectFailure(await t.admin.get('/admin/tenants?pageSize=201'), 400, 'VALIDATION_ERROR', 'pageSize');
  });

  it('changes the name, the budget or both', async () => {
    const tenantId = await newTenant();
    const path = `/admin/tenants/${tenantId}`;
    expect((await t.admin.patch(path, { name: 'New' })).body.data).toMatchObject({
      tenantId,
      name: 'New',
      rateLimit: 1000,
    });
    expect((await t.admin.patch(path, { rateLimit: 7 })).body.data).toMatchObject({
      tenantId,
      name: 'New',
      rateLimit: 7,
    });
    expectFailure(await t.admin.patch(path, {}), 400, 'VALIDATION_ERROR');
    expectFailure(await t.admin.patch(path, { rateLimit: 0 }), 400, 'VALIDATION_ERROR', 'rateLimit');
    expectFailure(await t.admin.patch(path, { name: null }), 400, 'VALIDATION_ERROR', 'name');
    expect((await t.admin.get('/admin/tenants?pageSize=1')).body.data).toEqual([
      { tenantId, name: 'New', rateLimit: 7, timeZone: null },
    ]);
  });

  it('takes the budget back to its default for null, and leaves the rest', async () => {
    const tenantId = await newTenant({ name: 'Cleared', rateLimit: 7, timeZone: 'Europe/Berlin' });
    const { status, body } = await t.admin.patch(`/admin/tenants/${tenantId}`, { rateLimit: null });
    expect(status).toBe(200);
    expect(body.data).toEqual({ tenantId, name: 'Cleared', rateLimit: 1000, timeZone: 'Europe/Berlin' });
  });

  it('applies a changed budget at once', async () => {
    const tenant = await t.tenant({ rateLimit: 1 });
    expect((await tenant.get('/v2/lists')).headers['x-ratelimit-limit']).toBe('1');
    expect((await tenant.get('/v2/lists')).status).toBe(429);
    await t.admin.patch(`/admin/tenants/${tenant.tenantId}`, { rateLimit: 2 });
    expect((await tenant.get('/v2/lists')).headers['x-ratelimit-limit']).toBe('2');
    await t.admin.patch(`/admin/tenants/${tenant.tenantId}`, { rateLimit: 1 });
    await tenant.get('/v2/lists');
    expect((await tenant.get('/v2/lists')).status).toBe(429);
  });
});

describe('an unknown tenant', () => {
  it.each(['999999', '0', '-1', 'x', '1.5', '1e3', '%00', '01', '9'.repeat(15), '9'.repeat(30), '%20', "1'--"])(
    'is 404 on every call: %s',
    async (id) => {
      const path = `/admin/tenants/${id}`;
      const replies = [
        await t.admin.patch(path, { name: 'x' }),
        await t.admin.get(`${path}/accounts`),
        await t.admin.post(`${path}/accounts`, { name: 'x' }),
        await t.admin.get(`${path}/tokens`),
        await t.admin.post(`${path}/tokens`, { name: 'x', scopes: ['READ'] }),
        await t.admin.delete(`${path}/tokens/1`),
        await t.admin.get(`${path}/sending-domains`),
        await t.admin.post(`${path}/sending-domains`, { domain: 'example.com' }),
        await t.admin.delete(`${path}/sending-domains/example.com`),
      ];
      for (const reply of replies) expectFailure(reply, 404, 'NOT_FOUND');
    },
  );
});

describe('accounts', () => {
  it('begin with an owner, and every list says which account made it', async () => {
    const tenantId = await newTenant();
    const path = `/admin/tenants/${tenantId}`;
    const owner = (await t.admin.get(`${path}/accounts`)).body.data[0];
    expect(owner).toEqual({ accountId: expect.any(Number), name: 'Owner', email: null });
    const ada = (await t.admin.post(`${path}/accounts`, { name: 'Ada', email: ' ADA@Example.com ' })).body.data;
    expect(ada).toEqual({ accountId: expect.any(Number), name: 'Ada', email: 'ada@example.com' });
    const byDefault = t.withToken((await newToken(tenantId)).token);
    const byAda = t.withToken((await newToken(tenantId, { accountId: ada.accountId })).token);
    const list = (await byDefault.post('/v1/lists', { name: 'a' })).body.data;
    expect(list).toMatchObject({ createdBy: owner.accountId, updatedBy: owner.accountId });
    await byAda.patch(`/v1/lists/${list.staticListId}`, { name: 'b' });
    expect((await byAda.get(`/v1/lists/${list.staticListId}`)).body.data).toMatchObject({
      createdBy: owner.accountId,
      updatedBy: ada.accountId,
    });
  });

  it('are listed oldest first', async () => {
    const path = `/admin/tenants/${await newTenant()}/accounts`;
    for (const name of ['a', 'b']) await t.admin.post(path, { name });
    const { data, pagination } = (await t.admin.get(path)).body;
    expect(data.map((row: { name: string }) => row.name)).toEqual(['Owner', 'a', 'b']);
    expect(pagination).toEqual({ pageNumber: 1, pageSize: 20, totalElements: 3, totalPages: 1 });
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ name: 'a', email: 'no address' }, 'email'],
    [{ name: 'a', email: '@' }, 'email'],
    [{ name: 'a', email: 7 }, 'email'],
  ])('are refused as %j', async (body, field) => {
    expectFailure(
      await t.admin.post(`/admin/tenants/${await newTenant()}/accounts`, body),
      400,
      'VALIDATION_ERROR',
      field,
    );
  });
});

describe('the guard of /admin', () => {
  it('refuses any other token than the administrator’s with an empty 401', async () => {
    for (const client of [
      t.anonymous,
      t.withToken('x'),
      t.withToken(`${adminToken}x`),
      t.withToken(adminToken.slice(1)),
    ]) {
      const reply = await client.get('/admin/tenants');
      expect(reply).toMatchObject({ status: 401, text: '' });
      const told = client === t.anonymous ? 'Bearer' : 'Bearer error="invalid_token"';
      expect(reply.headers['www-authenticate']).toBe(told);
      expect(reply.headers).not.toHaveProperty('content-type');
    }
    expect((await t.anonymous.get('/admin/tenants', { authorization: `bearer ${adminToken}` })).status).toBe(200);
  });

  it('throttles the administrator with an empty 429', async () => {
    const replies = await Promise.all(Array.from({ length: 300 }, () => t.admin.get('/admin/tenants?pageSize=1')));
    const refused = replies.filter((reply) => reply.status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(replies.filter((reply) => reply.status === 200).length).toBe(300 - refused.length);
    for (const reply of refused) {
      expect(reply.text).toBe('');
      expect(reply.headers).not.toHaveProperty('content-type');
      expect(reply.headers['retry-after']).toMatch(/^[1-9]\d*$/);
      expect(reply.headers['x-ratelimit-limit']).toMatch(/^\d+$/);
    }
    elapsed += 1000 * Number(refused[0]?.headers['retry-after']);
    expect((await t.admin.get('/admin/tenants')).status).toBe(200);
  });

  it('throttles guesses harder, and not the administrator because of them', async () => {
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, i) => t.withToken(`guess-${i}`).get('/admin/tenants')),
    );
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([401, 429]));
    for (const reply of replies) expect(reply.text).toBe('');
    expect(replies.filter((reply) => reply.status === 401).length).toBeLessThan(50);
    expect((await t.admin.get('/admin/tenants')).status).toBe(200);
  });
});
