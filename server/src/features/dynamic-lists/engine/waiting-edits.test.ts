// A long build does not block edits, and what it finds for a replaced filter is discarded.
import { expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { settled } from '../../../../test/audiences.js';
import { makeDynamicList as makeList, seedContacts } from '../../../../test/dynamic-lists.js';
import { sql } from '../../../db/sql.js';

const t = useApp({ work: true });

/** Members cannot be stored while the work is done: whatever builds then waits in the middle of its step. */
async function whileBuilding(begin: () => Promise<void>, work: () => Promise<void>): Promise<void> {
  await t.db.background.transaction(async (tx) => {
    await tx.run(sql`lock table dynamic_member in exclusive mode`);
    await begin();
    await expect.poll(waiting, { timeout: 60_000, interval: 20 }).toBeGreaterThan(0);
    await work();
    expect(await waiting()).toBeGreaterThan(0);
  });
}

async function waiting(): Promise<number> {
  const row = await t.db.row(sql<{ count: number }>`
    select count(*) from pg_locks where relation = 'dynamic_member'::regclass and not granted`);
  return row?.count ?? 0;
}

const membersOf = async (tenant: TenantClient, listId: string) =>
  (await tenant.get(`/v2/dynamic-lists/${listId}/members`)).body.data.map(({ email }: { email: string }) => email);

const pro = { property: 'plan', is: 'pro' };
const free = { property: 'plan', is: 'free' };

async function people(tenant: TenantClient): Promise<void> {
  await seedContacts(t, tenant, [
    { email: 'pro@x.io', properties: { plan: 'pro' } },
    { email: 'free@x.io', properties: { plan: 'free' } },
  ]);
}

it('answers at once when lists are made, edited, deleted and tried while one of them is built', async () => {
  const tenant = await t.tenant();
  await people(tenant);
  const [edited, deleted] = [await makeList(tenant, free), await makeList(tenant, free)];
  await settled(t, tenant.tenantId);
  let building = '';
  const begin = async () => {
    building = await makeList(tenant, pro);
  };
  await whileBuilding(begin, async () => {
    const answers = [
      await tenant.post('/v2/dynamic-lists', { name: 'Another', filter: pro }),
      await tenant.patch(`/v2/dynamic-lists/${edited}`, { filter: pro }),
      await tenant.patch(`/v2/dynamic-lists/${edited}`, { name: 'Renamed' }),
      await tenant.patch(`/v2/dynamic-lists/${building}`, { name: 'Being built' }),
      await tenant.patch(`/v2/dynamic-lists/${building}`, { filter: free }),
      await tenant.delete(`/v2/dynamic-lists/${deleted}`),
      await tenant.post('/v2/dynamic-lists/preview', { filter: { any: [{ orgMembers: { where: pro } }, free] } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });
  await settled(t, tenant.tenantId);
  expect(await membersOf(tenant, building)).toEqual(['free@x.io']);
  expect(await membersOf(tenant, edited)).toEqual(['pro@x.io']);
});

it('sweeps what a build stores of a list that was deleted meanwhile', async () => {
  const tenant = await t.tenant();
  await people(tenant);
  let building = '';
  const begin = async () => {
    building = await makeList(tenant, pro);
  };
  await whileBuilding(begin, async () => {
    expect((await tenant.delete(`/v2/dynamic-lists/${building}`)).status).toBe(200);
  });
  const left = () =>
    t.db.row(sql<{ members: number; counters: number }>`
      select (select count(*) from dynamic_member where tenant_id = ${tenant.tenantId}) as members,
        (select count(*) from counter_delta where tenant_id = ${tenant.tenantId} and counter like 'dynamic_members:%') as counters,
        (select count(*) from dynamic_list where tenant_id = ${tenant.tenantId} and not is_swept) as unswept`);
  await expect.poll(left, { timeout: 60_000, interval: 100 }).toEqual({ members: 0, counters: 0, unswept: 0 });
});

it('begins no build before transactions have ended that do not know its filter, and makes no one wait for them', async () => {
  const tenant = await t.tenant();
  const [, id] = await seedContacts(t, tenant, [{ email: 'a@x.io' }, { email: 'b@x.io' }]);
  await makeList(tenant, free);
  await settled(t, tenant.tenantId);
  let listId = '';
  await t.db.background.transaction(async (tx) => {
    // As a writer does: it goes by the filters of now.
    await tx.run(sql`select hold_audience(${tenant.tenantId})`);
    listId = await makeList(tenant, pro);
    await tx.run(sql`
      update contact set properties = '{"plan": "pro"}' where tenant_id = ${tenant.tenantId} and contact_id = ${id}::uuid`);
    // Others write meanwhile, and a list that is there is kept right.
    await tenant.done(
      await tenant.post('/v2/contacts/batch', { contacts: [{ email: 'c@x.io', properties: { plan: 'free' } }] }),
    );
    expect((await tenant.get(`/v2/dynamic-lists/${listId}`)).body.data).toMatchObject({ state: 'building' });
  });
  await settled(t, tenant.tenantId);
  expect(await membersOf(tenant, listId)).toEqual(['b@x.io']);
});
