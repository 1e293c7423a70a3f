// During a rolling upgrade, workers and editors of the previous build run beside those of this one. They take two locks: a worker audienceWork
// exclusively and audience shared, an editor audience exclusively.
import { expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { settled } from '../../../../test/audiences.js';
import { makeDynamicList as makeList, seedContacts } from '../../../../test/dynamic-lists.js';
import { sql } from '../../../db/sql.js';

const [audience, audienceWork] = [7_237_008, 7_237_009];
const t = useApp({ work: true });

const pro = { property: 'plan', is: 'pro' };
const free = { property: 'plan', is: 'free' };

async function peopled() {
  const tenant = await t.tenant();
  await seedContacts(t, tenant, [
    { email: 'pro@x.io', properties: { plan: 'pro' } },
    { email: 'free@x.io', properties: { plan: 'free' } },
  ]);
  const listId = await makeList(tenant, pro);
  await settled(t, tenant.tenantId);
  const members = async () =>
    (await tenant.get(`/v2/dynamic-lists/${listId}/members`)).body.data.map(({ email }: { email: string }) => email);
  return { tenant, listId, members };
}

async function waitingFor(lock: number, tenantId: number): Promise<void> {
  const count = async () => {
    const row = await t.db.row(sql<{ count: number }>`select count(*) from pg_locks
      where locktype = 'advisory' and classid = ${lock}::oid and objid = ${tenantId}::oid and not granted`);
    return row?.count;
  };
  await expect.poll(count, { timeout: 60_000, interval: 10 }).toBe(1);
}

/** As such a worker begins a turn, in between, and as it ends the build of all lists. */
function olderTurn(tenantId: number, meanwhile: () => Promise<void>): Promise<void> {
  return t.db.background.transaction(async (tx) => {
    await tx.run(sql`select pg_advisory_xact_lock(${audienceWork}::integer, ${tenantId}::integer)`);
    await tx.run(sql`select hold_audience(${tenantId})`);
    await meanwhile();
    await tx.run(sql`update dynamic_list set is_built = true, is_settled = true where tenant_id = ${tenantId}`);
  });
}

it('an edit comes before or after the turn of an older worker, which would consider the list built', async () => {
  const { tenant, listId, members } = await peopled();
  let edit: Promise<{ status: number }> | undefined;
  await olderTurn(tenant.tenantId, async () => {
    edit = tenant.patch(`/v2/dynamic-lists/${listId}`, { filter: free });
    await waitingFor(audienceWork, tenant.tenantId);
  });
  expect((await edit)?.status).toBe(200);
  await settled(t, tenant.tenantId);
  expect(await members()).toEqual(['free@x.io']);
});

it('a worker leaves the tenant alone while an older one has it', async () => {
  const { tenant, members } = await peopled();
  await olderTurn(tenant.tenantId, async () => {
    await tenant.done(await tenant.post('/v2/contacts', { email: 'new@x.io', properties: { plan: 'pro' } }));
    const waiting = await t.db.row(sql<{ count: number }>`
      select count(*) from audience_change where tenant_id = ${tenant.tenantId}`);
    expect(waiting?.count).toBe(1);
    expect(await members()).toEqual(['pro@x.io']);
  });
  await settled(t, tenant.tenantId);
  expect(await members()).toEqual(expect.arrayContaining(['pro@x.io', 'new@x.io']));
});

it('an edit waits for one on an older node: together they could make a circle', async () => {
  const { tenant, listId } = await peopled();
  let edit: Promise<{ status: number }> | undefined;
  await t.db.background.transaction(async (tx) => {
    await tx.run(sql`select pg_advisory_xact_lock(${audience}::integer, ${tenant.tenantId}::integer)`);
    edit = tenant.patch(`/v2/dynamic-lists/${listId}`, { filter: free });
    await waitingFor(audience, tenant.tenantId);
  });
  expect((await edit)?.status).toBe(200);
});
