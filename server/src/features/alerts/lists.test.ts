// Lists that halved, of both kinds.
import { beforeEach, expect, it } from 'vitest';
import { alertsOf, kindsOf, look, makeSized, seedDays, setCounter, setSize } from '../../../test/alerts.js';
import { type TenantClient, useApp } from '../../../test/app.js';
import { makeDynamicList } from '../../../test/dynamic-lists.js';
import { bytes, sql } from '../../db/sql.js';

const t = useApp();
let tenant: TenantClient;
beforeEach(async () => {
  tenant = await t.tenant();
});

it('opens an alert for a list with less than half of its members, and closes it when they are back', async () => {
  const id = await makeSized(t, tenant, 'Customers', [1204, 1100], 601);
  await makeSized(t, tenant, 'Others', [1204, 1100], 602);
  await look(t);
  expect(await alertsOf(tenant)).toMatchObject([
    {
      ...{ kind: 'listHalved', subject: { type: 'staticList', id, name: 'Customers' }, count: 601, comparedWith: 1204 },
      text: 'The list Customers went from 1,204 members to 601 within two days.',
      link: `/v2/lists/${id}/growth`,
    },
  ]);
  await setSize(t, tenant, id, 700);
  await look(t);
  expect(await kindsOf(tenant)).toEqual(['listHalved']);
  await setSize(t, tenant, id, 800);
  await look(t);
  expect(await kindsOf(tenant, 'closed')).toEqual(['listHalved']);
});

it('compares with what the list had at the start of today and of yesterday, not before', async () => {
  await makeSized(t, tenant, 'since yesterday', [40, 300], 40);
  await makeSized(t, tenant, 'since today', [300, 40], 40);
  await makeSized(t, tenant, 'long ago', [40, 40, 300], 40);
  await makeSized(t, tenant, 'small', [99, 99], 0);
  await makeSized(t, tenant, 'made today', [], 40);
  await look(t);
  const names = (await alertsOf(tenant)).map(({ subject }) => (subject as { name: string }).name);
  expect(names.toSorted()).toEqual(['since today', 'since yesterday']);
});

it('closes the alert of a list that is deleted', async () => {
  const id = await makeSized(t, tenant, 'Customers', [200], 10);
  await look(t);
  expect((await tenant.delete(`/v2/lists/${id}`)).status).toBe(200);
  await look(t);
  expect(await alertsOf(tenant)).toMatchObject([
    {
      state: 'closed',
      link: null,
      text: 'A list that has since been deleted went from 200 members to 10 within two days.',
    },
  ]);
});

async function makeDynamic(name: string): Promise<{ id: string; setSize: (n: number) => Promise<void> }> {
  const id = await makeDynamicList(tenant, { all: [{ property: 'plan', is: 'pro' }] }, name);
  const row = await t.db.row(sql<{ no: number }>`
    update dynamic_list set is_built = true where tenant_id = ${tenant.tenantId} and list_id = ${bytes(id)} returning list_no as no`);
  await seedDays(t, tenant, id, [400]);
  return { id, setSize: (n) => setCounter(t, tenant, `dynamic_members:${row?.no}`, n) };
}

it('takes a dynamic list as well, but not while it is built, nor one that is made for a journey', async () => {
  const list = await makeDynamic('Pro');
  await list.setSize(100);
  const own = await makeDynamic('Of a journey');
  await own.setSize(100);
  await t.db.run(sql`
    update dynamic_list set journey_id = list_id where tenant_id = ${tenant.tenantId} and list_id = ${bytes(own.id)}`);
  const built = (is: boolean) =>
    t.db.run(sql`update dynamic_list set is_built = ${is} where tenant_id = ${tenant.tenantId}`);
  await built(false);
  await look(t);
  expect(await alertsOf(tenant)).toEqual([]);
  await built(true);
  await look(t);
  expect(await alertsOf(tenant)).toMatchObject([
    { subject: { type: 'dynamicList', id: list.id, name: 'Pro' }, link: `/v2/dynamic-lists/${list.id}/growth` },
  ]);
  await built(false);
  await list.setSize(0);
  await look(t);
  expect(await kindsOf(tenant)).toEqual(['listHalved']);
});

it('opens fifty at most of a workspace, the largest lists first', async () => {
  await makeSized(t, tenant, 'Template', [], 0);
  await t.db.run(sql`
    with made as (
      insert into static_list (tenant_id, list_id, name, name_folded, name_grams, created_by, updated_by)
      select tenant_id, decode(lpad(to_hex(n), 24, '0'), 'hex'), 'L' || n, 'l' || n, '{}', created_by, updated_by
      from static_list, generate_series(1, 520) n where tenant_id = ${tenant.tenantId} returning tenant_id, list_id, name
    )
    insert into list_day (tenant_id, list_id, day, members)
    select tenant_id, list_id, (now() at time zone 'UTC')::date, 200 + substr(name, 2)::integer from made`);
  await look(t);
  await look(t);
  const open = await alertsOf(tenant, 'open');
  expect(open).toHaveLength(50);
  expect(Math.min(...open.map(({ comparedWith }) => comparedWith as number))).toBe(200 + 471);
});
