import { beforeEach, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { makeDynamicList as makeList, seedContacts } from '../../../../test/dynamic-lists.js';
import { bytes, sql } from '../../../db/sql.js';
import { unwatched } from '../../../work/queue.js';
import type { Subject } from '../../filter-language/subject.js';
import { Subjects } from '../../filter-language/subjects.js';
import { audienceQueue } from './audience-queue.js';
import { Filters } from './filters.js';

const t = useApp();
let tenant: TenantClient;
beforeEach(async () => {
  tenant = await t.tenant();
});

/** What `statement_timeout` does to a statement that takes too long: 57014. */
const slow: Subject = {
  key: 'slow',
  read: () => ({}),
  say: () => 'is slow',
  reads: () => ['property:plan'],
  compile: () => ({ holds: sql`(pg_cancel_backend(pg_backend_pid()) and pg_sleep(1) is not null)` }),
};
/** What a bug does. */
const breaking: Subject = {
  ...slow,
  key: 'breaking',
  compile: (_spec, { contactId }) => ({ holds: sql`(1 / (length(${contactId}::text) - 36) > 0)` }),
};

async function storeFilter(listId: string, filter: unknown): Promise<void> {
  await t.db.run(sql`
    update dynamic_list set filter = ${JSON.stringify(filter)}::jsonb
    where tenant_id = ${tenant.tenantId} and list_id = ${bytes(listId)}`);
  await t.db.run(sql`update audience set version = version + 1 where tenant_id = ${tenant.tenantId}`);
}
const stateOf = (listId: string) =>
  t.db.row(sql<{ isBuilt: boolean; attempts: number }>`
    select is_built as "isBuilt", attempts from dynamic_list where tenant_id = ${tenant.tenantId} and list_id = ${bytes(listId)}`);

it('sets a list aside whose statement runs into its time limit, and goes on with the others', async () => {
  await seedContacts(t, tenant, [{ email: 'a@x.io', properties: { plan: 'pro' } }]);
  const bad = await makeList(tenant, { property: 'plan', is: 'pro' });
  await storeFilter(bad, { slow: true });
  const good = await makeList(tenant, { property: 'plan', is: 'pro' });
  const queue = audienceQueue(t.db.background, new Filters(() => new Subjects([slow])));
  const errors: string[] = [];
  for (let i = 0; i < 20; i++)
    await queue
      .serve(tenant.tenantId, unwatched, new AbortController().signal)
      .catch((error) => errors.push(error.code));
  expect(await stateOf(good)).toMatchObject({ isBuilt: true });
}, 240_000);

it('does not set aside lists that had no part in a single failed change', async () => {
  const good = await makeList(tenant, { property: 'plan', is: 'pro' });
  const bad = await makeList(tenant, { property: 'plan', is: 'pro' });
  const queue = audienceQueue(t.db.background, new Filters(() => new Subjects([breaking])));
  const serve = () => queue.serve(tenant.tenantId, unwatched, new AbortController().signal);
  for (let i = 0; i < 3; i++) await serve();
  const [id] = await seedContacts(t, tenant, [{ email: 'a@x.io', properties: { plan: 'pro' } }]);
  await storeFilter(bad, { breaking: true });
  expect(await stateOf(good)).toEqual({ isBuilt: true, attempts: 0 });
  await t.db.run(sql`
    insert into audience_change (tenant_id, contact_id, list_nos, changed_at) values (${tenant.tenantId}, ${id}::uuid, '{}', now())`);
  await serve();
  expect(await stateOf(good)).toEqual({ isBuilt: true, attempts: 0 });
});

/** Like a statement that can check three contacts in its time, and no more. */
const heavy: Subject = {
  ...slow,
  key: 'heavy',
  compile: (_spec, on) => ({
    holds: sql`(select count(*) <= 3 or (pg_cancel_backend(pg_backend_pid()) and pg_sleep(10) is null) from contact x
      where x.tenant_id = ${on.tenantId} and ${on.scope(sql`x.contact_id`)})`,
  }),
};

it('builds a list that takes long in shorter steps, down to one contact, and others meanwhile', async () => {
  const contacts = Array.from({ length: 45 }, (_, i) => ({ email: `c${i}@x.io`, properties: { plan: 'pro' } }));
  await seedContacts(t, tenant, contacts);
  const bad = await makeList(tenant, { property: 'plan', is: 'pro' });
  await storeFilter(bad, { heavy: true });
  const good = await makeList(tenant, { property: 'plan', is: 'pro' });
  const queue = audienceQueue(t.db.background, new Filters(() => new Subjects([heavy])));
  const serve = () => queue.serve(tenant.tenantId, unwatched, new AbortController().signal);
  await serve();
  expect(await stateOf(good)).toEqual({ isBuilt: true, attempts: 0 });
  expect(await stateOf(bad)).toEqual({ isBuilt: false, attempts: 0 });
  for (let turn = 0; turn < 60 && !(await stateOf(bad))?.isBuilt; turn++) await serve();
  expect(await stateOf(bad)).toEqual({ isBuilt: true, attempts: 0 });
  const members = await t.db.row(sql<{ count: number }>`
    select count(*) from dynamic_member m join dynamic_list l using (tenant_id, list_no)
    where m.tenant_id = ${tenant.tenantId} and l.list_id = ${bytes(bad)}`);
  expect(members?.count).toBe(45);
});
