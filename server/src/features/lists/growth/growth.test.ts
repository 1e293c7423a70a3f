import { describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { makeDynamicList, seedContacts } from '../../../../test/dynamic-lists.js';
import { eventually } from '../../../../test/messages.js';
import { bytes, sql } from '../../../db/sql.js';
import { keepDynamicSizes } from '../../dynamic-lists/members/queries.js';
import { keepStaticSizes, sweepGrowth } from './queries.js';

const t = useApp({ work: true });

async function staticList(tenant: TenantClient, contactIds: readonly string[]): Promise<string> {
  const { staticListId } = (await tenant.post('/v2/lists', { name: 'L' })).body.data;
  await tenant.post(`/v2/lists/${staticListId}/members`, { contactIds });
  return staticListId;
}
const people = (tenant: TenantClient, names: readonly string[]) =>
  seedContacts(
    t,
    tenant,
    names.map((name) => ({ email: `${name}@x.de`, properties: { plan: 'pro', first_name: name } })),
  );
const growthOf = async (tenant: TenantClient, path: string) => (await tenant.get(`/v2/${path}/growth`)).body.data;
const emailsOf = async (tenant: TenantClient, path: string, what: string) =>
  (await tenant.get(`/v2/${path}/movements?what=${what}`)).body.data.map(({ email }: { email: string }) => email);

describe('the growth of a static list', () => {
  it('says who joined and left this week; one that came back did not leave', async () => {
    const tenant = await t.tenant();
    const [a = '', b = '', c = ''] = await people(tenant, ['a', 'b', 'c']);
    const id = await staticList(tenant, [a, b, c]);
    await t.db.run(sql`update list_member set added_at = now() - interval '8 days' where contact_id = ${a}`);
    for (const gone of [b, c]) await tenant.delete(`/v2/lists/${id}/members/${gone}`);
    await tenant.post(`/v2/lists/${id}/members`, { contactIds: [c] });
    expect(await growthOf(tenant, `lists/${id}`)).toMatchObject({ members: 2, joined: 1, left: 1, days: [] });
    expect(await emailsOf(tenant, `lists/${id}`, 'joined')).toEqual(['c@x.de']);
    const { body } = await tenant.get(`/v2/lists/${id}/movements?what=left`);
    expect(body.data).toMatchObject([{ contactId: b, email: 'b@x.de', firstName: 'b' }]);
    expect(body.pagination.totalElements).toBe(1);
    await t.db.run(sql`update list_departure set left_at = now() - interval '8 days' where contact_id = ${b}`);
    expect(await growthOf(tenant, `lists/${id}`)).toMatchObject({ left: 0 });
  });

  it('has the first size of each day, and forgets them with the list', async () => {
    const tenant = await t.tenant();
    const [a = '', b = ''] = await people(tenant, ['a', 'b']);
    const id = await staticList(tenant, [a]);
    await keepStaticSizes(t.db.background, 1000);
    await tenant.post(`/v2/lists/${id}/members`, { contactIds: [b] });
    await keepStaticSizes(t.db.background, 1000);
    await t.db.run(sql`
      insert into list_day (tenant_id, list_id, day, members)
      values (${tenant.tenantId}, ${bytes(id)}, (now() at time zone 'UTC')::date - 3, 7)`);
    const { members, days } = await growthOf(tenant, `lists/${id}`);
    expect([members, days.map((day: { members: number }) => day.members)]).toEqual([2, [7, 1]]);
    expect(days[1].day).toMatch(/^\d{4}-\d\d-\d\d$/);
    await tenant.delete(`/v2/lists/${id}`);
    const kept = await t.db.row(
      sql<{ n: number }>`select count(*) as n from list_day where tenant_id = ${tenant.tenantId}`,
    );
    expect(kept?.n).toBe(0);
    expect((await tenant.get(`/v2/lists/${id}/growth`)).status).toBe(404);
  });

  it('keeps sizes for 400 days and departures for 30', async () => {
    const tenant = await t.tenant();
    const [a = ''] = await people(tenant, ['a']);
    const id = await staticList(tenant, [a]);
    await t.db.run(sql`
      insert into list_day (tenant_id, list_id, day, members)
      select ${tenant.tenantId}, ${bytes(id)}, (now() at time zone 'UTC')::date - n, n from unnest(array[399, 402, 500]) n`);
    await t.db.run(sql`
      insert into list_departure (tenant_id, list_id, contact_id, left_at)
      select ${tenant.tenantId}, ${bytes(id)}, gen_random_uuid(), now() - make_interval(days => n)
      from unnest(array[29, 31]) n`);
    await sweepGrowth(t.db.background, 1000);
    const kept = await t.db.row(sql<{ days: number[]; departures: number }>`
      select (select jsonb_agg(members) from list_day where tenant_id = ${tenant.tenantId}) as days,
        (select count(*) from list_departure where tenant_id = ${tenant.tenantId}) as departures`);
    expect(kept).toEqual({ days: [399], departures: 1 });
  });
});

describe('the growth of a dynamic list', () => {
  it('says who joined and left by its filter', async () => {
    const tenant = await t.tenant();
    const [a = ''] = await people(tenant, ['a', 'b']);
    const id = await makeDynamicList(tenant, { property: 'plan', is: 'pro' });
    await eventually(
      async () => (await tenant.get(`/v2/dynamic-lists/${id}`)).body.data,
      (list) => list.state === 'ready' && list.memberCount === 2,
    );
    await keepDynamicSizes(t.db.background, 1000);
    await tenant.done(await tenant.patch(`/v2/contacts/${a}`, { properties: { plan: 'free' } }));
    await eventually(
      () => emailsOf(tenant, `dynamic-lists/${id}`, 'left'),
      (emails) => emails.length === 1,
    );
    expect(await emailsOf(tenant, `dynamic-lists/${id}`, 'left')).toEqual(['a@x.de']);
    expect(await emailsOf(tenant, `dynamic-lists/${id}`, 'joined')).toEqual(['b@x.de']);
    expect(await growthOf(tenant, `dynamic-lists/${id}`)).toMatchObject({
      ...{ members: 1, joined: 1, left: 1, days: [{ members: 2 }] },
    });
    await tenant.done(await tenant.delete(`/v2/contacts/${a}`));
    expect(await growthOf(tenant, `dynamic-lists/${id}`)).toMatchObject({ left: 0 });
    expect((await tenant.get(`/v2/dynamic-lists/${id}/movements?what=both`)).status).toBe(400);
    expect((await tenant.get(`/v2/dynamic-lists/${id}/movements`)).status).toBe(400);
    await tenant.delete(`/v2/dynamic-lists/${id}`);
    expect((await tenant.get(`/v2/dynamic-lists/${id}/growth`)).status).toBe(404);
  });
});
