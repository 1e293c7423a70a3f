import { describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { makeDynamicList, seedContacts, seedMembers } from '../../../test/dynamic-lists.js';
import { sql } from '../../db/sql.js';
import { sampleOfPages } from '../filter-language/evaluate/queries.js';

// No worker: members are those that a test adds.
const t = useApp();
const unknownContact = '0123456789abcdef0123456789abcdef';
const unknownId = '0123456789abcdef01234567';
const pro = { all: [{ property: 'plan', is: 'pro' }] };
const people = [
  { email: 'ada@example.com', properties: { plan: 'pro', seats: 12, first_name: 'Ada', title: 'Countess' } },
  { email: 'alan@example.com', properties: { plan: 'pro', seats: 3 } },
  { email: 'grace@example.com', properties: { plan: 'free' } },
];

describe('GET /v2/dynamic-lists/{id}/explain', () => {
  it('says for every group and condition whether it holds now, beside what is stored', async () => {
    const tenant = await t.tenant();
    const [ada = '', alan = ''] = await seedContacts(t, tenant, people);
    const { staticListId } = (await tenant.post('/v2/lists', { name: 'Friends' })).body.data;
    const filter = {
      all: [
        { any: [{ property: 'plan', is: 'pro' }, { staticListId }] },
        { none: [{ property: 'seats', lt: 10 }] },
        { orgMembers: { where: { property: 'plan', is: 'pro' }, atMost: 9 } },
      ],
    };
    const id = await makeDynamicList(tenant, filter);
    await seedMembers(t, tenant, id, [{ contactId: alan, joinedAt: '2026-11-15T09:00:00.000Z' }]);
    const { body } = await tenant.get(`/v2/dynamic-lists/${id}/explain?contactId=${alan}`);
    const { nodes, evaluatedAt, ...rest } = body.data;
    expect(rest).toEqual({ contactId: alan, isMember: true, holds: false });
    expect(evaluatedAt).toMatch(/^\d{4}-.*\.\d{3}Z$/);
    const found = nodes.map(({ path, holds, value }: { path: string; holds: boolean; value?: unknown }) => [
      path,
      holds,
      value,
    ]);
    expect(found.slice(0, 6)).toEqual([
      ['filter', false, undefined],
      ['filter.all[0]', true, undefined],
      ['filter.all[0].any[0]', true, 'pro'],
      ['filter.all[0].any[1]', false, undefined],
      ['filter.all[1]', false, undefined],
      ['filter.all[1].none[0]', true, 3],
    ]);
    expect(nodes).toHaveLength(7);
    expect(nodes[3].text).toContain('Friends');
    for (const node of nodes) expect(node.text).toMatch(/\S/);
    const other = (await tenant.get(`/v2/dynamic-lists/${id}/explain?contact_id=${ada}`)).body.data;
    expect(other).toMatchObject({ contactId: ada, isMember: false });
  });

  it('shows 200 conditions', async () => {
    const tenant = await t.tenant();
    const [ada = ''] = await seedContacts(t, tenant, people);
    const any = Array.from({ length: 200 }, (_, i) => ({ property: 'seats', is: i }));
    const id = await makeDynamicList(tenant, { any });
    const { nodes, holds } = (await tenant.get(`/v2/dynamic-lists/${id}/explain?contactId=${ada}`)).body.data;
    expect([nodes.length, holds]).toEqual([201, true]);
    expect(nodes.filter((node: { holds: boolean }) => node.holds)).toHaveLength(2);
  });

  it('needs a contact and a list that exist', async () => {
    const tenant = await t.tenant();
    const id = await makeDynamicList(tenant, pro);
    const missing = await tenant.get(`/v2/dynamic-lists/${id}/explain`);
    expect([missing.status, missing.body.errors[0].detail]).toEqual([400, 'contactId']);
    for (const contact of [unknownContact, 'x', '']) {
      const { status, body } = await tenant.get(`/v2/dynamic-lists/${id}/explain?contactId=${contact}`);
      expect([status, body.errors[0].errorCode]).toEqual([400, 'BAS-E-002']);
    }
    expect((await tenant.get(`/v2/dynamic-lists/${unknownId}/explain?contactId=x`)).status).toBe(404);
  });
});

describe('POST /v2/dynamic-lists/preview', () => {
  it('counts, shows contacts as GET contact does, and says the filter in words', async () => {
    const tenant = await t.tenant();
    const ids = await seedContacts(t, tenant, people);
    const { status, body } = await tenant.post('/v2/dynamic-lists/preview', { filter: pro });
    expect(status).toBe(200);
    const { sample, text, estimatedCost, ...rest } = body.data;
    expect(rest).toEqual({ count: 2, isExact: true });
    const wanted = await Promise.all(
      [ids[1], ids[0]].map(async (id) => (await tenant.get(`/v2/contacts/${id}`)).body.data),
    );
    expect(sample).toEqual(wanted);
    expect(text).toContain('pro');
    expect(Number.isInteger(estimatedCost) && estimatedCost > 0).toBe(true);
    expect((await tenant.get('/v2/dynamic-lists')).body.data).toEqual([]);
  });

  it('shows five contacts at most, and none if there are none', async () => {
    const tenant = await t.tenant();
    await seedContacts(
      t,
      tenant,
      Array.from({ length: 7 }, (_, i) => ({ email: `p${i}@example.com` })),
    );
    const all = (await tenant.post('/v2/dynamic-lists/preview', { filter: { all: [] } })).body.data;
    expect([all.count, all.sample.length]).toEqual([7, 5]);
    const none = (await tenant.post('/v2/dynamic-lists/preview', { filter: { any: [] } })).body.data;
    expect([none.count, none.sample]).toEqual([0, []]);
  });

  it('refuses a filter as creation does, and needs the WRITE scope', async () => {
    const tenant = await t.tenant();
    for (const [filter, detail] of [
      [{ property: 'a' }, /^filter: /],
      [{ all: [{ staticListId: unknownId }] }, /^filter\.all\[0\]\.staticListId: /],
    ]) {
      const { status, body } = await tenant.post('/v2/dynamic-lists/preview', { filter });
      expect([status, body.errors[0].detail]).toEqual([400, expect.stringMatching(detail as RegExp)]);
    }
    const reader = await t.tenant({ scopes: ['READ'] });
    expect((await reader.post('/v2/dynamic-lists/preview', { filter: pro })).status).toBe(403);
  });

  it('estimates among more than 50,000 contacts from a random sample, and says so', async () => {
    const tenant = await t.tenant();
    const total = 60_000;
    await t.db.transaction(async (tx) => {
      // In the order of their ids: the first half is on one plan, the other on another.
      await tx.run(sql`
        insert into contact (tenant_id, contact_id, email, properties, search_text, created_at, updated_at)
        select ${tenant.tenantId}, lpad(to_hex(i), 32, '0')::uuid, i || '@example.com',
          jsonb_build_object('plan', case when i <= ${total / 2} then 'free' else 'pro' end), '', now(), now()
        from generate_series(1, ${total}::int) i`);
      await tx.run(sql`
        insert into counter_delta (tenant_id, counter, delta) values (${tenant.tenantId}, 'contacts', ${total})`);
    });
    const { count, isExact, sample } = (await tenant.post('/v2/dynamic-lists/preview', { filter: pro })).body.data;
    expect(isExact).toBe(false);
    expect(Math.abs(count - total / 2)).toBeLessThan(total * 0.03);
    expect(sample).toHaveLength(5);
    for (const contact of sample) expect(contact.properties.plan).toBe('pro');
    const pages = await sampleOfPages(t.db, tenant.tenantId, total, 10_000);
    expect(pages.length).toBeGreaterThan(3000);
    expect(pages.length).toBeLessThan(20_001);
  });
});
