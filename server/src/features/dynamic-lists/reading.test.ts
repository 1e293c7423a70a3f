import { describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../test/app.js';
import { makeDynamicList, seedContacts, seedMembers } from '../../../test/dynamic-lists.js';
import { bytes, sql } from '../../db/sql.js';

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

async function details(tenant: TenantClient, id: string) {
  return (await tenant.get(`/v2/dynamic-lists/${id}`)).body.data;
}

async function listNoOf(tenant: TenantClient, id: string): Promise<number> {
  const row = await t.db.row(sql<{ no: number }>`
    select list_no as no from dynamic_list where tenant_id = ${tenant.tenantId} and list_id = ${bytes(id)}`);
  return row?.no as number;
}

describe('GET /v2/dynamic-lists/{id}', () => {
  it('says building, and since when, until all contacts were checked', async () => {
    const tenant = await t.tenant();
    const [contactId = ''] = await seedContacts(t, tenant, people);
    const id = await makeDynamicList(tenant, pro);
    const fresh = await details(tenant, id);
    expect(fresh).toMatchObject({ filter: pro, memberCount: 0, state: 'building', computedAt: null, warnings: [] });
    await seedMembers(t, tenant, id, [{ contactId, joinedAt: '2026-11-15T09:00:00.000Z' }]);
    const built = await details(tenant, id);
    expect(built).toMatchObject({ memberCount: 1, state: 'ready', lagSeconds: 0 });
    expect(built.computedAt).toMatch(/Z$/);
    expect((await tenant.get('/v2/dynamic-lists/nonsense')).status).toBe(404);
  });

  it.each([
    [
      'contact',
      sql`insert into audience_change (tenant_id, contact_id, list_nos, changed_at)`,
      sql`${unknownContact}::uuid`,
    ],
    ['organization', sql`insert into audience_org_change (tenant_id, org_id, list_nos, changed_at)`, sql`'acme'`],
  ])('is as far behind as the oldest change of a %s that it has not seen', async (_what, insert, whom) => {
    const tenant = await t.tenant();
    const [id, other] = [await makeDynamicList(tenant, pro), await makeDynamicList(tenant, pro)];
    const whole = await makeDynamicList(tenant, { none: [{ dynamicListId: id }] });
    for (const each of [id, other, whole]) await seedMembers(t, tenant, each, []);
    const no = await listNoOf(tenant, id);
    await t.db.run(sql`${insert} values (${tenant.tenantId}, ${whom}, array[${no}, 0], now() - interval '1 hour')`);
    for (const behind of [id, whole]) {
      const { lagSeconds } = await details(tenant, behind);
      expect(lagSeconds).toBeGreaterThanOrEqual(3600);
      expect(lagSeconds).toBeLessThan(4000);
    }
    expect((await details(tenant, other)).lagSeconds).toBe(0);
  });

  it('is as far behind as the oldest window that is due, not as one that is to come', async () => {
    const tenant = await t.tenant();
    const id = await makeDynamicList(tenant, pro);
    await seedMembers(t, tenant, id, []);
    const due = (contactId: string, at: string) =>
      t.db.run(sql`
      insert into dynamic_due (tenant_id, list_no, contact_id, due_at)
      select ${tenant.tenantId}, list_no, ${contactId}, now() + ${at}::interval from dynamic_list
      where tenant_id = ${tenant.tenantId} and list_id = ${bytes(id)}`);
    await due('019a8b2c4d5e7f708192a3b4c5d6e7f8', '1 minute');
    expect((await details(tenant, id)).lagSeconds).toBe(0);
    await due('019a8b2c4d5e7f708192a3b4c5d6e7f9', '-1 minute');
    expect((await details(tenant, id)).lagSeconds).toBeGreaterThanOrEqual(60);
  });

  it('warns of property keys and event names that were never seen, with their places', async () => {
    const tenant = await t.tenant();
    await seedContacts(t, tenant, people);
    await t.db.run(sql`insert into event_name (tenant_id, name) values (${tenant.tenantId}, 'signed_in')`);
    const id = await makeDynamicList(tenant, {
      all: [
        { property: 'plan', exists: true },
        { property: 'plann', is: 'pro' },
        { event: 'signed_in' },
        { orgMembers: { where: { event: 'signed_inn' } } },
        { sequence: [{ event: 'signed_in' }, { event: 'paid' }] },
      ],
    });
    expect((await details(tenant, id)).warnings).toEqual([
      'filter.all[1].property: no contact has ever had the property "plann".',
      'filter.all[3].orgMembers.where.event: no event named "signed_inn" was ever stored.',
      'filter.all[4].sequence[1].event: no event named "paid" was ever stored.',
    ]);
  });
});

describe('GET /v2/dynamic-lists/states', () => {
  it('says the same about every list as its own read', async () => {
    const tenant = await t.tenant();
    const [ada = ''] = await seedContacts(t, tenant, people);
    const building = await makeDynamicList(tenant, pro);
    const [id, other] = [await makeDynamicList(tenant, pro), await makeDynamicList(tenant, pro)];
    const whole = await makeDynamicList(tenant, { none: [{ dynamicListId: id }] });
    const overWhole = await makeDynamicList(tenant, { all: [{ dynamicListId: whole }] });
    const gone = await makeDynamicList(tenant, pro);
    for (const each of [other, whole, overWhole]) await seedMembers(t, tenant, each, []);
    await seedMembers(t, tenant, id, [{ contactId: ada, joinedAt: '2026-11-15T09:00:00.000Z' }]);
    await tenant.delete(`/v2/dynamic-lists/${gone}`);
    const no = await listNoOf(tenant, id);
    await t.db.run(sql`
      insert into audience_change (tenant_id, contact_id, list_nos, changed_at)
      values (${tenant.tenantId}, ${unknownContact}, array[${no}, 0], now() - interval '1 hour')`);
    const { body } = await tenant.get('/v2/dynamic-lists/states');
    expect(body.pagination.totalElements).toBe(5);
    expect(body.data.map((row: { dynamicListId: string }) => row.dynamicListId)).toEqual([
      ...[overWhole, whole, other, id, building],
    ]);
    for (const row of body.data) {
      const { memberCount, state, computedAt, lagSeconds } = await details(tenant, row.dynamicListId);
      expect(row).toMatchObject({ memberCount, state, computedAt });
      expect(Math.abs(row.lagSeconds - lagSeconds)).toBeLessThan(60);
    }
    expect(body.data[3]).toMatchObject({ memberCount: 1, state: 'ready' });
    const lags = body.data.map((row: { lagSeconds: number }) => row.lagSeconds >= 3600);
    expect(lags).toEqual([true, true, false, true, false]);
  });

  it('counts a change for every list for each of them, and one that is due for its own', async () => {
    const tenant = await t.tenant();
    const [id, other] = [await makeDynamicList(tenant, pro), await makeDynamicList(tenant, pro)];
    for (const each of [id, other]) await seedMembers(t, tenant, each, []);
    const lags = async () =>
      (await tenant.get('/v2/dynamic-lists/states')).body.data.map((row: { lagSeconds: number }) =>
        Math.floor(row.lagSeconds / 3600),
      );
    expect(await lags()).toEqual([0, 0]);
    await t.db.run(sql`
      insert into dynamic_due (tenant_id, list_no, contact_id, due_at)
      values (${tenant.tenantId}, ${await listNoOf(tenant, id)}, ${unknownContact}, now() - interval '2 hours')`);
    expect(await lags()).toEqual([0, 2]);
    await t.db.run(sql`
      insert into audience_change (tenant_id, contact_id, list_nos, changed_at)
      values (${tenant.tenantId}, ${unknownContact}, '{}', now() - interval '1 hour')`);
    expect(await lags()).toEqual([1, 2]);
  });
});

describe('GET /v2/dynamic-lists/{id}/members', () => {
  it('shows those who joined last first, with the fields of static lists', async () => {
    const tenant = await t.tenant();
    const [ada = '', alan = ''] = await seedContacts(t, tenant, people);
    const id = await makeDynamicList(tenant, pro);
    await seedMembers(t, tenant, id, [
      { contactId: ada, joinedAt: '2026-11-15T09:00:00.000Z' },
      { contactId: alan, joinedAt: '2026-11-14T09:00:00.000Z' },
    ]);
    const { body } = await tenant.get(`/v2/dynamic-lists/${id}/members`);
    expect(body.data.map((row: { contactId: string }) => row.contactId)).toEqual([ada, alan]);
    expect(body.data[0]).toEqual({
      ...{ contactId: ada, email: 'ada@example.com', firstName: 'Ada', lastName: null, companyName: null },
      ...{ phoneNumber: null, title: 'Countess', joinedAt: '2026-11-15T09:00:00.000Z' },
    });
    const second = await tenant.get(`/v2/dynamic-lists/${id}/members?pageSize=1&pageNumber=2`);
    expect(second.body.data[0].contactId).toBe(alan);
    expect(second.body.pagination).toEqual({ pageNumber: 2, pageSize: 1, totalElements: 2, totalPages: 2 });
    const past = await tenant.get(`/v2/dynamic-lists/${id}/members?pageNumber=9`);
    expect([past.body.data, past.body.pagination.totalElements]).toEqual([[], 2]);
    for (const other of [unknownId, 'x'])
      expect((await tenant.get(`/v2/dynamic-lists/${other}/members`)).status).toBe(404);
  });
});

describe('GET /v2/contacts/{id}/lists', () => {
  it('shows lists of both kinds, the last joined first, without deleted ones', async () => {
    const tenant = await t.tenant();
    const [ada = ''] = await seedContacts(t, tenant, people);
    const dynamicIds = [await makeDynamicList(tenant, pro, 'Old'), await makeDynamicList(tenant, pro, 'New')];
    const years = ['2020', '2099'];
    for (const [i, id] of dynamicIds.entries())
      await seedMembers(t, tenant, id, [{ contactId: ada, joinedAt: `${years[i]}-01-01T00:00:00.000Z` }]);
    const { staticListId } = (await tenant.post('/v2/lists', { name: 'By hand' })).body.data;
    await tenant.post(`/v2/lists/${staticListId}/members`, { contactIds: [ada] });
    const rows = async (query = '') => (await tenant.get(`/v2/contacts/${ada}/lists${query}`)).body;
    const all = await rows();
    expect(all.data.map((row: { name: string }) => row.name)).toEqual(['New', 'By hand', 'Old']);
    expect(all.data[0]).toEqual({
      ...{ type: 'dynamic', id: dynamicIds[1], name: 'New', joinedAt: '2099-01-01T00:00:00.000Z' },
    });
    expect(all.data[1]).toMatchObject({ type: 'static', id: staticListId });
    expect((await rows('?pageSize=1&pageNumber=3')).data).toEqual([all.data[2]]);
    await tenant.delete(`/v2/lists/${staticListId}`);
    await tenant.delete(`/v2/dynamic-lists/${dynamicIds[1]}`);
    const left = await rows();
    expect([left.data, left.pagination.totalElements]).toEqual([[all.data[2]], 1]);
  });

  it('answers 400 BAS-E-002 for an unknown contact', async () => {
    const tenant = await t.tenant();
    for (const id of [unknownContact, 'nobody']) {
      const { status, body } = await tenant.get(`/v2/contacts/${id}/lists`);
      expect([status, body.errors[0].errorCode]).toEqual([400, 'BAS-E-002']);
    }
  });
});
