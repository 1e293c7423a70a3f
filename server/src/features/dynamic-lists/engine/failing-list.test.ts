import { beforeEach, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { makeDynamicList as makeList } from '../../../../test/dynamic-lists.js';
import { bytes, sql } from '../../../db/sql.js';
import { unwatched } from '../../../work/queue.js';
import type { Subject } from '../../filter-language/subject.js';
import { Subjects } from '../../filter-language/subjects.js';
import { audienceQueue } from './audience-queue.js';
import { Filters } from './filters.js';

// No worker: turns are taken one by one.
const t = useApp();
let tenant: TenantClient;
beforeEach(async () => {
  tenant = await t.tenant();
});

/** What a bug would do: a statement that fails for one contact. */
const breaking: Subject = {
  key: 'breaking',
  read: () => ({}),
  say: () => 'breaks',
  reads: () => ['property:plan'],
  compile: (_spec, { contactId }) => ({
    holds: sql`(select 1 / (count(*) - 1) from contact b where b.tenant_id = ${tenant.tenantId} and b.contact_id = ${contactId} and b.email like 'poison%') >= 0`,
  }),
};

function queueWith(...subjects: Subject[]) {
  const known = new Subjects(subjects);
  return audienceQueue(t.db.background, new Filters(() => known));
}
const serve = (queue: ReturnType<typeof queueWith>) =>
  queue.serve(tenant.tenantId, unwatched, new AbortController().signal);

async function storeFilter(listId: string, filter: unknown): Promise<void> {
  await t.db.run(sql`
    update dynamic_list set filter = ${JSON.stringify(filter)}::jsonb
    where tenant_id = ${tenant.tenantId} and list_id = ${bytes(listId)}`);
  await t.db.run(sql`update audience set version = version + 1 where tenant_id = ${tenant.tenantId}`);
}

async function insertContact(email: string, properties: object): Promise<void> {
  await t.db.run(sql`
    insert into contact (tenant_id, contact_id, email, properties, created_at, updated_at, search_text)
    values (${tenant.tenantId}, gen_random_uuid(), ${email}, ${JSON.stringify(properties)}::jsonb, now(), now(), '')`);
}

function stateOf(listId: string) {
  return t.db.row(sql`
    select is_built as "isBuilt", attempts, last_error as "lastError", due_at > now() as waits,
      (select count(*) from dynamic_member m where m.tenant_id = l.tenant_id and m.list_no = l.list_no) as members
    from dynamic_list l where tenant_id = ${tenant.tenantId} and list_id = ${bytes(listId)}`);
}

it('sets aside a list whose evaluation fails, and goes on with the others', async () => {
  await insertContact('poison@x.io', { plan: 'pro' });
  const good = await makeList(tenant, { property: 'plan', is: 'pro' });
  const bad = await makeList(tenant, { property: 'plan', is: 'pro' });
  await storeFilter(bad, { breaking: true });
  const queue = queueWith(breaking);
  for (let turn = 0; turn < 3; turn++) await serve(queue);
  expect(await stateOf(good)).toMatchObject({ isBuilt: true, members: 1, attempts: 0 });
  expect(await stateOf(bad)).toMatchObject({ isBuilt: false, waits: true, lastError: 'division by zero' });
  await t.db.run(sql`update contact set email = 'cured@x.io' where tenant_id = ${tenant.tenantId}`);
  await t.db.run(sql`update dynamic_list set due_at = now() where tenant_id = ${tenant.tenantId}`);
  for (let turn = 0; turn < 3; turn++) await serve(queue);
  expect(await stateOf(bad)).toMatchObject({ isBuilt: true, members: 0, attempts: 0, lastError: null });
});

it('ends an evaluation that takes too long, and sets its list aside', async () => {
  await insertContact('a@x.io', { plan: 'pro' });
  const good = await makeList(tenant, { property: 'plan', is: 'pro' });
  const slow = await makeList(tenant, { property: 'plan', is: 'pro' });
  await storeFilter(slow, { sleeping: true });
  const sleeping: Subject = {
    ...breaking,
    key: 'sleeping',
    // What the database would do to it after 20 s, at once.
    compile: () => ({ holds: sql`(select pg_cancel_backend(pg_backend_pid()) and pg_sleep(60) is null)` }),
  };
  const queue = queueWith(sleeping);
  for (let turn = 0; turn < 3; turn++) await serve(queue);
  expect(await stateOf(good)).toMatchObject({ isBuilt: true, members: 1 });
  expect(await stateOf(slow)).toMatchObject({
    isBuilt: false,
    waits: true,
    lastError: expect.stringContaining('longer than'),
  });
});

it('leaves a tenant to newer processes when it cannot read one of the filters', async () => {
  await insertContact('a@x.io', { plan: 'pro' });
  const list = await makeList(tenant, { property: 'plan', is: 'pro' });
  const newer = await makeList(tenant, { property: 'plan', is: 'pro' });
  await storeFilter(newer, { unheardOf: true });
  const queue = queueWith();
  expect((await queue.due()).tenants).toContain(tenant.tenantId);
  expect(await serve(queue)).toBe(0);
  await storeFilter(newer, { property: 'plan', isNot: 'pro' });
  await serve(queue);
  expect(await stateOf(list)).toMatchObject({ isBuilt: true, members: 1 });
});
