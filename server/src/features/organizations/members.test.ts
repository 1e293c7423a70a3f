import { describe, expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../../test/app.js';
import { codeOf, ids, organization, organizationsOf, user } from '../../../test/organizations.js';
import { sql } from '../../db/sql.js';
import { foldOrganizations } from './queries.js';

const t = useApp({ work: true });

const { members, forgetOrganization } = organizationsOf(t);

describe('GET /organizations/{orgId}/members', () => {
  it('pages the product users, newest membership first', async () => {
    const tenant = await t.tenant();
    await organization(tenant, 'acme');
    await organization(tenant, 'b');
    await user(tenant, 'c', ['acme']);
    await user(tenant, 'a', ['b', 'acme']);
    await user(tenant, 'outsider', ['b']);
    await user(tenant, 'b', ['acme']);
    const first = await tenant.get('/v2/organizations/acme/members?pageSize=2');
    expect(ids(first, 'userId')).toEqual(['b', 'a']);
    expect(first.body.data[1]).toEqual((await tenant.get('/v2/users/a')).body.data);
    expect(first.body.data[1].orgIds).toEqual(['b', 'acme']);
    expect(first.body.pagination).toEqual({ pageNumber: 1, pageSize: 2, totalElements: 3, totalPages: 2 });
    expect(ids(await tenant.get('/v2/organizations/acme/members?pageSize=2&pageNumber=2'), 'userId')).toEqual(['c']);
    expect((await tenant.get('/v2/organizations/acme/members?pageNumber=9')).body.data).toEqual([]);
    expect((await tenant.get('/v2/organizations/acme/members?page_size=1')).body.data).toHaveLength(3);
  });

  it('is empty for an organization without members and 404 for an unknown one', async () => {
    const [tenant, other] = [await t.tenant(), await t.tenant()];
    await organization(tenant, 'acme');
    await organization(other, 'theirs');
    expect((await tenant.get('/v2/organizations/acme/members')).body).toMatchObject({
      data: [],
      pagination: { totalElements: 0 },
    });
    for (const orgId of ['nobody', 'theirs']) {
      expect(codeOf(await tenant.get(`/v2/organizations/${orgId}/members`))).toEqual([404, 'NOT_FOUND']);
    }
  });

  it('knows an organization that only memberships name, as long as there is one', async () => {
    const tenant = await t.tenant();
    await organization(tenant, 'old');
    await user(tenant, 'u', ['old']);
    await forgetOrganization(tenant, 'old');
    expect((await members(tenant, 'old')).rows).toEqual(['u']);
    await user(tenant, 'v', ['old']);
    expect((await members(tenant, 'old')).total).toBe(2);
    for (const userId of ['u', 'v']) await tenant.delete(`/v2/organizations/old/members/${userId}`);
    expect((await tenant.get('/v2/organizations/old/members')).status).toBe(404);
    expect((await tenant.post('/v2/users', { email: 'w@x.io', orgIds: ['old'] })).status).toBe(404);
  });
});

describe('DELETE /organizations/{orgId}/members/{userId}', () => {
  it('removes the membership and nothing else', async () => {
    const tenant = await t.tenant();
    await organization(tenant, 'acme');
    await organization(tenant, 'b');
    await user(tenant, 'u/1', ['acme', 'b']);
    const path = '/v2/organizations/acme/members/u%2F1';
    expect((await tenant.delete(path)).body.data).toEqual({ success: true });
    expect((await tenant.get('/v2/users/u%2F1')).body.data.orgIds).toEqual(['b']);
    expect((await members(tenant, 'acme')).total).toBe(0);
    expect(codeOf(await tenant.delete(path))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await tenant.delete('/v2/organizations/nobody/members/u%2F1'))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await tenant.delete('/v2/organizations/b/members/nobody'))).toEqual([404, 'NOT_FOUND']);
    await user(tenant, 'u/1', ['acme']);
    expect((await tenant.get('/v2/users/u%2F1')).body.data.orgIds).toEqual(['b', 'acme']);
  });
});

describe('the number of members', () => {
  it('stays exact under concurrent joining, leaving, deletion and erasure', async () => {
    const tenant = await t.tenant();
    await organization(tenant, 'acme');
    const names = Array.from({ length: 30 }, (_, i) => `u${i}`);
    const join = (userId: string) => tenant.post('/v2/users', { email: `${userId}@x.io`, userId, orgIds: ['acme'] });
    const made = await Promise.all([...names, ...names].map(join));
    for (const reply of made) await tenant.done(reply);
    expect(await members(tenant, 'acme')).toMatchObject({ total: 30, stored: 30 });
    const contact = (await tenant.get('/v2/contacts/by-email/u29@x.io')).body.data;
    const replies = await Promise.all([
      ...names
        .slice(0, 10)
        .flatMap((userId) => [tenant.delete(`/v2/users/${userId}`), tenant.delete(`/v2/users/${userId}`)]),
      ...names.slice(0, 20).map((userId) => tenant.delete(`/v2/organizations/acme/members/${userId}`)),
      tenant.delete(`/v2/contacts/${contact.id}`),
    ]);
    await tenant.done(replies.at(-1) as Reply);
    const rejoined = await Promise.all(names.slice(5, 15).map(join));
    const racing = await Promise.all([
      ...names.slice(5, 15).map((userId) => tenant.delete(`/v2/users/${userId}`)),
      ...names.slice(5, 15).map((userId) => tenant.delete(`/v2/organizations/acme/members/${userId}`)),
    ]);
    for (const { status } of racing) expect([200, 404]).toContain(status);
    for (const reply of rejoined) expect((await tenant.done(reply)).results[0].status).not.toBe('FAILED');
    const { rows, total, stored } = await members(tenant, 'acme');
    expect([total, stored]).toEqual([rows.length, rows.length]);
    expect(rows).not.toContain('u29');
  });
});

describe('GET /organizations by name', () => {
  const found = async (tenant: TenantClient, query: Record<string, string>) =>
    ids(await tenant.get(`/v2/organizations?${new URLSearchParams(query)}`), 'orgId');

  async function some(): Promise<TenantClient> {
    const tenant = await t.tenant();
    const names = { o1: 'Zebra', o2: 'ÖRTLICH & Sons', o3: 'apple', 'x-100%': 'Banana', o5: 'Apple' };
    for (const [orgId, name] of Object.entries(names)) await tenant.post('/v2/organizations', { orgId, name });
    return tenant;
  }

  it('searches name and id, in any case, every character literally', async () => {
    const tenant = await some();
    expect(await found(tenant, { search: 'APP' })).toEqual(['o5', 'o3']);
    expect(await found(tenant, { search: 'örtlich &' })).toEqual(['o2']);
    expect(await found(tenant, { search: '100%' })).toEqual(['x-100%']);
    expect(await found(tenant, { search: '_' })).toEqual([]);
    // A match must not run from the end of the name into the id.
    expect(await found(tenant, { search: 'zebrao1' })).toEqual([]);
    const page = await tenant.get('/v2/organizations?search=o&pageSize=1&pageNumber=2');
    expect(page.body.pagination).toMatchObject({ totalElements: 4, totalPages: 4 });
  });

  it('sorts by name, capital letters or not, then by id; newest first otherwise', async () => {
    const tenant = await some();
    expect(await found(tenant, { sort: 'name' })).toEqual(['o3', 'o5', 'x-100%', 'o1', 'o2']);
    expect(await found(tenant, { sort: 'name', search: 'an' })).toEqual(['x-100%']);
    expect(await found(tenant, { sort: '-createdAt' })).toEqual(await found(tenant, {}));
    expect(codeOf(await tenant.get('/v2/organizations?sort=orgId'))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('follows a new name, however it was set', async () => {
    const tenant = await some();
    await tenant.patch('/v2/organizations/o1', { name: 'Yak' });
    expect(await found(tenant, { search: 'zebra' })).toEqual([]);
    expect(await found(tenant, { search: 'YAK' })).toEqual(['o1']);
    const group = { groupId: 'o9', userId: 'u', traits: { name: 'Grouped' } };
    const key = Buffer.from(`${tenant.token}:`).toString('base64');
    await tenant.post('/ingest/v1/group', group, { authorization: `Basic ${key}` });
    await expect.poll(() => found(tenant, { search: 'GROUPED' })).toEqual(['o9']);
  });

  it('finds those of an earlier build, before and after their names are folded', async () => {
    const tenant = await some();
    const own = sql`tenant_id = ${tenant.tenantId}`;
    await t.db.run(sql`update organization set search_text = null where ${own}`);
    expect(await found(tenant, { search: 'APP' })).toEqual(['o5', 'o3']);
    while ((await t.db.background.transaction((tx) => foldOrganizations(tx, 2))) > 0);
    expect(await found(tenant, { search: 'örtlich' })).toEqual(['o2']);
    expect(await found(tenant, { sort: 'name' })).toEqual(['o3', 'o5', 'x-100%', 'o1', 'o2']);
    expect(await t.db.rows(sql`select 1 from organization where search_text is null`)).toEqual([]);
  });
});
