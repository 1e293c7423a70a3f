import { describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../test/app.js';
import { seedContacts } from '../../../test/dynamic-lists.js';
import { sql } from '../../db/sql.js';

const t = useApp({ work: true });

async function properties(tenant: TenantClient, query = '') {
  return (await tenant.get(`/v2/properties?${query}`)).body;
}
async function values(tenant: TenantClient, key: string, query: Record<string, string> = {}) {
  return (await tenant.get(`/v2/properties/${encodeURIComponent(key)}/values?${new URLSearchParams(query)}`)).body.data;
}

describe('the properties of contacts', () => {
  it('are listed by name, with types, share and examples', async () => {
    const tenant = await t.tenant();
    await seedContacts(t, tenant, [
      {
        email: 'a@x.de',
        properties: { plan: 'pro', seats: 3, renews_at: '2027-01-01', tags: ['x', 'y'], is_new: true },
      },
      { email: 'b@x.de', properties: { plan: 'pro', seats: 'three', renews_at: '2027-02-01T10:00:00Z', tags: ['y'] } },
      { email: 'c@x.de', properties: { plan: 'free', note: 'x'.repeat(201) } },
      { email: 'd@x.de' },
    ]);
    const { data, pagination } = await properties(tenant);
    expect(pagination.totalElements).toBe(6);
    expect(data).toEqual([
      { key: 'is_new', types: ['boolean'], share: 0.25, examples: [true] },
      { key: 'note', types: ['text'], share: 0.25, examples: [] },
      { key: 'plan', types: ['text'], share: 0.75, examples: ['pro', 'free'] },
      { key: 'renews_at', types: ['time'], share: 0.5, examples: ['2027-01-01', '2027-02-01T10:00:00Z'] },
      { key: 'seats', types: ['number', 'text'], share: 0.5, examples: ['three', 3] },
      { key: 'tags', types: ['list'], share: 0.5, examples: ['y', 'x'] },
    ]);
    expect((await properties(tenant, 'search=S&pageSize=2')).data.map(({ key }: { key: string }) => key)).toEqual([
      'is_new',
      'renews_at',
    ]);
    expect((await properties(tenant, 'search=S&pageSize=2')).pagination).toMatchObject({
      totalElements: 4,
      totalPages: 2,
    });
    expect((await properties(tenant, 'pageNumber=9')).data).toEqual([]);
  });

  it('are listed even when no contact has one any more', async () => {
    const tenant = await t.tenant();
    await tenant.done(await tenant.post('/v2/contacts', { email: 'a@x.de', properties: { plan: 'pro' } }));
    const { id } = (await tenant.get('/v2/contacts/by-email/a@x.de')).body.data;
    await tenant.done(await tenant.patch(`/v2/contacts/${id}`, { properties: { plan: null } }));
    expect((await properties(tenant)).data).toEqual([{ key: 'plan', types: [], share: 0, examples: [] }]);
    await tenant.done(await tenant.delete(`/v2/contacts/${id}`));
    expect((await properties(tenant)).data).toEqual([{ key: 'plan', types: [], share: 0, examples: [] }]);
  });

  it('are only those of the tenant', async () => {
    const [tenant, other] = [await t.tenant(), await t.tenant()];
    await seedContacts(t, other, [{ email: 'a@x.de', properties: { secret: 'theirs' } }]);
    expect(await properties(tenant)).toMatchObject({ data: [], pagination: { totalElements: 0 } });
    expect(await values(tenant, 'secret')).toEqual({ values: [], types: [], lookAlikes: [], sampled: 0 });
  });
});

describe('the properties of users and organizations', () => {
  it('are those that some have', async () => {
    const tenant = await t.tenant();
    await tenant.post('/v2/organizations', { orgId: 'acme', name: 'Acme', properties: { industry: 'tools' } });
    await tenant.post('/v2/organizations', { orgId: 'none', name: 'None' });
    const user = {
      email: 'a@x.de',
      userId: 'u1',
      orgIds: ['acme'],
      properties: { role: 'admin', last_seen: '2026-11-15' },
    };
    await tenant.done(await tenant.post('/v2/users', user));
    expect((await properties(tenant, 'of=organization')).data).toEqual([
      { key: 'industry', types: ['text'], share: 0.5, examples: ['tools'] },
    ]);
    expect((await properties(tenant, 'of=user')).data).toEqual([
      { key: 'last_seen', types: ['time'], share: 1, examples: ['2026-11-15'] },
      { key: 'role', types: ['text'], share: 1, examples: ['admin'] },
    ]);
    expect((await properties(tenant, 'of=user&search=ROL')).pagination.totalElements).toBe(1);
    expect(await values(tenant, 'role', { of: 'user' })).toMatchObject({
      values: [{ value: 'admin', count: 1 }],
      sampled: 1,
    });
    expect(await values(tenant, 'industry', { of: 'organization' })).toMatchObject({ sampled: 2 });
    expect((await tenant.get('/v2/properties?of=nobody')).body.errors[0].detail).toBe('of');
  });
});

describe('the values of a property', () => {
  it('come the most frequent first, lists by element, each record once', async () => {
    const tenant = await t.tenant();
    await seedContacts(t, tenant, [
      { email: 'a@x.de', properties: { tags: ['x', 'x', 'y', null, 5] } },
      { email: 'b@x.de', properties: { tags: 'y' } },
      { email: 'c@x.de', properties: { tags: '5' } },
    ]);
    expect(await values(tenant, 'tags')).toEqual({
      values: [
        { value: 'y', count: 2 },
        { value: '5', count: 1 },
        { value: 'x', count: 1 },
        { value: 5, count: 1 },
      ],
      types: [
        { type: 'text', count: 4, examples: ['y', '5', 'x'] },
        { type: 'number', count: 1, examples: [5] },
      ],
      lookAlikes: [
        [
          { value: '5', count: 1 },
          { value: 5, count: 1 },
        ],
      ],
      sampled: 3,
    });
  });

  it('are found by a part, in any case, every character taken literally', async () => {
    const tenant = await t.tenant();
    const cities = ['ÖRTLICHKEIT', 'Örtlingen', '100 %', 'a_b', 'aXb', 'x'.repeat(300)];
    await seedContacts(
      t,
      tenant,
      cities.map((city, i) => ({ email: `c${i}@x.de`, properties: { city } })),
    );
    const found = async (search: string) =>
      (await values(tenant, 'city', { search })).values.map(({ value }: { value: string }) => value);
    expect(await found('örtli')).toEqual(['ÖRTLICHKEIT', 'Örtlingen'].sort());
    expect(await found('%')).toEqual(['100 %']);
    expect(await found('A_B')).toEqual(['a_b']);
    expect(await found('xxx')).toEqual([]);
    expect(await values(tenant, 'no such key')).toMatchObject({ values: [], types: [], sampled: 6 });
  });

  it('are told apart by type as the operators read them: a date that does not exist is text', async () => {
    const tenant = await t.tenant();
    const signUps = ['2026-03-04', '2026-03-05', '2026-02-30', 'soon', 20260304, true, 'x'.repeat(300)];
    await seedContacts(
      t,
      tenant,
      signUps.map((signed_up, i) => ({ email: `c${i}@x.de`, properties: { signed_up } })),
    );
    expect((await values(tenant, 'signed_up', { search: 'soon' })).types).toEqual([
      { type: 'text', count: 3, examples: ['2026-02-30', 'soon'] },
      { type: 'time', count: 2, examples: ['2026-03-04', '2026-03-05'] },
      { type: 'boolean', count: 1, examples: [true] },
      { type: 'number', count: 1, examples: [20260304] },
    ]);
  });

  it('look alike when they differ in case, spaces or type alone', async () => {
    const tenant = await t.tenant();
    const plans = ['pro', 'pro', 'pro', 'Pro', 'pro ', 'free', 'promo', 'big  team', 'Big team', 'Big team', 10, '10'];
    await seedContacts(
      t,
      tenant,
      plans.map((plan, i) => ({ email: `c${i}@x.de`, properties: { plan } })),
    );
    const { lookAlikes } = await values(tenant, 'plan', { search: 'free' });
    expect(lookAlikes.map((group: { value: unknown }[]) => group.map(({ value }) => value))).toEqual([
      ['pro', 'Pro', 'pro '],
      ['Big team', 'big  team'],
      expect.arrayContaining([10, '10']),
    ]);
    expect(lookAlikes[0][0]).toEqual({ value: 'pro', count: 3 });
  });

  it('are at most 20', async () => {
    const tenant = await t.tenant();
    await seedContacts(
      t,
      tenant,
      Array.from({ length: 30 }, (_, n) => ({ email: `c${n}@x.de`, properties: { n } })),
    );
    expect((await values(tenant, 'n')).values).toHaveLength(20);
    expect((await values(tenant, 'n', { search: '2' })).values.map(({ value }: { value: number }) => value)).toEqual([
      2, 12, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
    ]);
  });
});

it('looks at fewer contacts if they are large, and at the first elements of long lists', async () => {
  const tenant = await t.tenant();
  await t.db.run(sql`
    insert into contact (tenant_id, contact_id, email, properties, search_text, created_at, updated_at)
    select ${tenant.tenantId}, (lpad(to_hex(1700000000000 + n * 60000), 12, '0') || lpad(to_hex(n), 20, '0'))::uuid, n || '@x.de',
      jsonb_build_object('no', n, 'long', (select jsonb_agg(md5(n || ' ' || k)) from generate_series(1, 800) k), 'tags',
        (select jsonb_agg(k) from generate_series(1, 60) k)), n || '@x.de', now(), now()
    from generate_series(1, 400) n`);
  await t.db.run(sql`insert into property_key (tenant_id, key) values (${tenant.tenantId}, 'tags')`);
  const { sampled } = await values(tenant, 'no');
  expect(sampled).toBeGreaterThan(50);
  expect(sampled).toBeLessThan(400);
  const tags = await values(tenant, 'tags', { search: '0' });
  expect(tags.values.map(({ value }: { value: number }) => value)).toEqual([10, 20, 30, 40, 50]);
  expect((await properties(tenant)).data).toEqual([
    { key: 'tags', types: ['list'], share: 1, examples: [1, 2, 3, 4, 5] },
  ]);
});

it('looks at 5,000 contacts at most: the newest, and some from all over', async () => {
  const tenant = await t.tenant();
  // One a minute, so that their ids are spread; the oldest third has another plan.
  await t.db.run(sql`
    insert into contact (tenant_id, contact_id, email, properties, search_text, created_at, updated_at)
    select ${tenant.tenantId}, (lpad(to_hex(1700000000000 + n * 60000), 12, '0') || lpad(to_hex(n), 20, '0'))::uuid, n || '@x.de',
      jsonb_build_object('age', case when n < 4000 then 'old' when n < 8000 then 'middle' else 'new' end), n || '@x.de', now(), now()
    from generate_series(1, 12000) n`);
  const { values: found, sampled } = await values(tenant, 'age');
  expect(sampled).toBeGreaterThan(3000);
  expect(sampled).toBeLessThanOrEqual(5000);
  expect(found.map(({ value }: { value: string }) => value).sort()).toEqual(['middle', 'new', 'old']);
  expect(found[0].value).toBe('new');
  const total = found.reduce((sum: number, { count }: { count: number }) => sum + count, 0);
  expect(total).toBe(sampled);
});
