import { describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { codeOf, ids, organization, organizationsOf, user } from '../../../test/organizations.js';

const t = useApp({ work: true });
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const { members, forgetOrganization } = organizationsOf(t);

describe('POST /organizations', () => {
  it('answers the organization', async () => {
    const tenant = await t.tenant();
    const properties = { plan: 'pro', seats: 3, tags: ['a', 'b'] };
    const reply = await tenant.post('/v2/organizations', { orgId: ' acme ', name: ' Acme Ltd ', properties });
    expect(reply.status).toBe(200);
    expect(reply.body.data).toEqual({
      orgId: 'acme',
      name: 'Acme Ltd',
      properties,
      createdAt: expect.stringMatching(isoTime),
      updatedAt: reply.body.data.createdAt,
    });
    expect((await tenant.get('/v2/organizations/acme')).body.data).toEqual(reply.body.data);
  });

  it('makes up an id when none is given', async () => {
    const tenant = await t.tenant();
    for (const body of [{ name: 'A' }, { name: 'A', orgId: null, properties: null }]) {
      const { data } = (await tenant.post('/v2/organizations', body)).body;
      expect(data).toMatchObject({ orgId: expect.stringMatching(uuid), properties: {} });
    }
  });

  it('answers 409 for an id that is taken in this tenant, not elsewhere', async () => {
    const [tenant, other] = [await t.tenant(), await t.tenant()];
    await organization(tenant, 'acme');
    expect(codeOf(await tenant.post('/v2/organizations', { orgId: 'acme', name: 'B' }))).toEqual([
      409,
      'ORGANIZATION_ALREADY_EXISTS',
    ]);
    expect((await tenant.get('/v2/organizations/acme')).body.data.name).toBe('acme');
    await organization(tenant, 'Acme');
    await organization(other, 'acme');
    expect((await tenant.get('/v2/organizations')).body.pagination.totalElements).toBe(2);
  });

  it('gives the id to one of many concurrent requests', async () => {
    const tenant = await t.tenant();
    const body = { orgId: 'acme', name: 'A' };
    const replies = await Promise.all(Array.from({ length: 10 }, () => tenant.post('/v2/organizations', body)));
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, ...Array(9).fill(409)]);
    expect((await tenant.get('/v2/organizations')).body.pagination.totalElements).toBe(1);
  });

  it.each([
    [{}],
    [{ orgId: 'x' }],
    [{ name: ' ' }],
    [{ name: 7 }],
    [{ name: 'n'.repeat(256) }],
    [{ name: 'A', orgId: ' ' }],
    [{ name: 'A', orgId: 7 }],
    [{ name: 'A', orgId: 'o'.repeat(256) }],
    [{ name: 'A', orgId: 'a\0' }],
    [{ name: 'A', properties: [] }],
    [{ name: 'A', properties: 'x' }],
    [{ name: 'A', properties: { a: 'x\0' } }],
  ])('refuses %j with 400', async (body) => {
    expect(codeOf(await (await t.tenant()).post('/v2/organizations', body))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('ignores keys and values that cannot be properties', async () => {
    const tenant = await t.tenant();
    const properties = { ok: 1, 'Not Ok': 1, nested: { a: 1 }, gone: null };
    const { data } = (await tenant.post('/v2/organizations', { name: 'A', properties })).body;
    expect(data.properties).toEqual({ ok: 1 });
  });

  it('takes 500 properties and 32 KiB, and refuses more with 400', async () => {
    const tenant = await t.tenant();
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1]));
    const large = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
    for (const properties of [many(500), large(32_768)]) {
      expect((await tenant.post('/v2/organizations', { name: 'A', properties })).status).toBe(200);
    }
    for (const properties of [many(501), large(32_769)]) {
      const reply = await tenant.post('/v2/organizations', { orgId: 'big', name: 'A', properties });
      expect(codeOf(reply)).toEqual([400, 'VALIDATION_ERROR']);
      expect(reply.body.errors[0]).toMatchObject({
        detail: 'properties',
        message: expect.stringContaining('organization'),
      });
    }
    expect((await tenant.get('/v2/organizations/big')).status).toBe(404);
  });

  it('takes the longest ids there are, of the widest characters', async () => {
    const tenant = await t.tenant();
    const [orgId, userId] = ['🦊'.repeat(255), '🐻'.repeat(255)];
    await organization(tenant, orgId);
    await user(tenant, userId, [orgId], 'wide@x.io');
    expect(await members(tenant, orgId)).toEqual({ rows: [userId], total: 1, stored: 1 });
  });

  it('replays its answer for a repeated Idempotency-Key', async () => {
    const tenant = await t.tenant();
    const headers = { 'idempotency-key': 'k' };
    const first = await tenant.post('/v2/organizations', { name: 'A' }, headers);
    const again = await tenant.post('/v2/organizations', { name: 'A' }, headers);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body.data).toEqual(first.body.data);
  });
});

describe('GET /organizations', () => {
  it('pages, newest first, with true totals', async () => {
    const tenant = await t.tenant();
    expect((await tenant.get('/v2/organizations')).body).toMatchObject({
      data: [],
      pagination: { pageNumber: 1, pageSize: 20, totalElements: 0, totalPages: 0 },
    });
    for (const orgId of ['c', 'a', 'b']) {
      await organization(tenant, orgId);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const first = await tenant.get('/v2/organizations?pageSize=2');
    expect(ids(first, 'orgId')).toEqual(['b', 'a']);
    expect(first.body.data[0]).toEqual((await tenant.get('/v2/organizations/b')).body.data);
    expect(first.body.pagination).toEqual({ pageNumber: 1, pageSize: 2, totalElements: 3, totalPages: 2 });
    expect(ids(await tenant.get('/v2/organizations?pageSize=2&pageNumber=2'), 'orgId')).toEqual(['c']);
    const past = await tenant.get('/v2/organizations?pageNumber=9');
    expect(past.body).toMatchObject({ data: [], pagination: { pageNumber: 9, totalElements: 3 } });
    expect((await tenant.get('/v2/organizations?pageSize=201')).status).toBe(400);
  });

  it('is not in /v1', async () => {
    const tenant = await t.tenant();
    for (const path of ['/v1/organizations', '/v1/organizations/x', '/v1/organizations/x/members', '/v1/users/x']) {
      expect((await tenant.get(path)).status).toBe(404);
    }
    expect((await tenant.post('/v1/users', { email: 'a@x.io' })).status).toBe(404);
  });
});

describe('GET and PATCH /organizations/{orgId}', () => {
  it('answer 404 for an unknown id, or one that only a membership names', async () => {
    const tenant = await t.tenant();
    await organization(tenant, 'acme');
    await user(tenant, 'u', ['acme']);
    await forgetOrganization(tenant, 'acme');
    for (const orgId of ['acme', 'nobody', 'x'.repeat(3000), '%00']) {
      expect(codeOf(await tenant.get(`/v2/organizations/${orgId}`))).toEqual([404, 'NOT_FOUND']);
      expect(codeOf(await tenant.patch(`/v2/organizations/${orgId}`, { name: 'B' }))).toEqual([404, 'NOT_FOUND']);
    }
  });

  it('change the name and merge properties', async () => {
    const tenant = await t.tenant();
    await tenant.post('/v2/organizations', { orgId: 'acme', name: 'A', properties: { keep: 1, change: 1, drop: 1 } });
    const wanted = { change: 2, drop: null, add: [1], Bad: 1, deep: { a: 1 } };
    const { data } = (await tenant.patch('/v2/organizations/acme', { properties: wanted })).body;
    expect(data).toMatchObject({ orgId: 'acme', name: 'A', properties: { keep: 1, change: 2, add: [1] } });
    expect(data.updatedAt >= data.createdAt).toBe(true);
    const renamed = (await tenant.patch('/v2/organizations/acme', { name: ' B ' })).body.data;
    expect(renamed).toMatchObject({ name: 'B', properties: data.properties, createdAt: data.createdAt });
    expect((await tenant.get('/v2/organizations/acme')).body.data).toEqual(renamed);
    const cleared = (await tenant.patch('/v2/organizations/acme', { properties: null })).body.data;
    expect(cleared).toMatchObject({ name: 'B', properties: {} });
  });

  it('leave updatedAt alone when nothing changes', async () => {
    const tenant = await t.tenant();
    const made = (await tenant.post('/v2/organizations', { orgId: 'acme', name: 'A', properties: { bb: 1, a: 2 } }))
      .body;
    await new Promise((resolve) => setTimeout(resolve, 3));
    for (const body of [{ name: 'A' }, { properties: {} }, { properties: { a: 2, gone: null, Bad: 1 } }]) {
      expect((await tenant.patch('/v2/organizations/acme', body)).body.data).toEqual(made.data);
    }
    const { data } = (await tenant.patch('/v2/organizations/acme', { properties: { a: 3 } })).body;
    expect(data.updatedAt > made.data.updatedAt).toBe(true);
  });

  it.each([[{}], [{ orgId: 'b' }], [{ name: null }], [{ name: '' }], [{ properties: [] }]])(
    'refuse %j with 400',
    async (body) => {
      const tenant = await t.tenant();
      await organization(tenant, 'acme');
      expect(codeOf(await tenant.patch('/v2/organizations/acme', body))).toEqual([400, 'VALIDATION_ERROR']);
    },
  );

  it('refuse what exceeds the limits, and change nothing', async () => {
    const tenant = await t.tenant();
    await tenant.post('/v2/organizations', { orgId: 'acme', name: 'A', properties: { a: 'x'.repeat(20_000) } });
    const reply = await tenant.patch('/v2/organizations/acme', { name: 'B', properties: { b: 'x'.repeat(20_000) } });
    expect(codeOf(reply)).toEqual([400, 'VALIDATION_ERROR']);
    expect((await tenant.get('/v2/organizations/acme')).body.data.name).toBe('A');
  });

  it('lose no change among many at once', async () => {
    const tenant = await t.tenant();
    await organization(tenant, 'acme');
    const patches = Array.from({ length: 20 }, (_, i) =>
      tenant.patch('/v2/organizations/acme', { properties: { [`k${i}`]: i } }),
    );
    await Promise.all(patches);
    expect(Object.keys((await tenant.get('/v2/organizations/acme')).body.data.properties)).toHaveLength(20);
  });

  it('find an id with any characters', async () => {
    const tenant = await t.tenant();
    for (const orgId of ['a/b', 'ünï ☂', '100%', 'a?b#c', "o'k; --"]) {
      await organization(tenant, orgId);
      const path = `/v2/organizations/${encodeURIComponent(orgId)}`;
      expect((await tenant.get(path)).body.data.orgId).toBe(orgId);
      expect((await tenant.patch(path, { name: 'B' })).body.data).toMatchObject({ orgId, name: 'B' });
      expect((await tenant.get(`${path}/members`)).body.data).toEqual([]);
    }
  });
});
