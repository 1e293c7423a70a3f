// Found by a hostile review; each test was seen to fail.
import { beforeEach, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { makeDynamicList as makeList } from '../../../../test/dynamic-lists.js';
import { bytes, sql } from '../../../db/sql.js';
import { unwatched } from '../../../work/queue.js';
import { Subjects } from '../../filter-language/subjects.js';
import { audienceQueue } from './audience-queue.js';
import { Filters } from './filters.js';

// No worker: turns are taken one by one.
const t = useApp();
let tenant: TenantClient;
let queue: ReturnType<typeof audienceQueue>;
beforeEach(async () => {
  tenant = await t.tenant();
  queue = audienceQueue(t.db.background, new Filters(() => new Subjects([])));
});
const serve = () => queue.serve(tenant.tenantId, unwatched, new AbortController().signal);
const listOf = (listId: string) => sql`tenant_id = ${tenant.tenantId} and list_id = ${bytes(listId)}`;

/** Ids in order: the first is 1. */
const idOf = (n: number) => `01a00000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
async function seed(count: number): Promise<void> {
  await t.db.run(sql`
    insert into contact (tenant_id, contact_id, email, properties, created_at, updated_at, search_text)
    select ${tenant.tenantId}, ('01a00000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'c' || n || '@x.io', '{"plan":"free"}', now(), now(), ''
    from generate_series(1, ${count}::integer) n`);
}
async function stateOf(listId: string) {
  return t.db.row(sql<{
    isBuilt: boolean;
    builtTo: string | null;
    attempts: number;
    lastError: string | null;
    members: number;
  }>`
    select is_built as "isBuilt", built_to as "builtTo", attempts, last_error as "lastError",
      (select count(*) from dynamic_member m where m.tenant_id = l.tenant_id and m.list_no = l.list_no) as members
    from dynamic_list l where ${listOf(listId)}`);
}

it('sees a change behind the bookmark of a build that is tried again', async () => {
  await seed(10_001);
  const list = await makeList(tenant, { property: 'plan', is: 'pro' });
  // It had failed once; the cause is gone, and it is due again.
  await t.db.run(sql`update dynamic_list set attempts = 1 where ${listOf(list)}`);
  await serve();
  expect(await stateOf(list)).toMatchObject({ isBuilt: false, attempts: 1, members: 0 });
  await t.db.transaction(async (tx) => {
    await tx.run(
      sql`update contact set properties = '{"plan":"pro"}' where tenant_id = ${tenant.tenantId} and contact_id = ${idOf(1)}::uuid`,
    );
    await tx.run(sql`
      insert into audience_change (tenant_id, contact_id, list_nos, changed_at)
      select tenant_id, ${idOf(1)}::uuid, array[list_no], now() from dynamic_list where ${listOf(list)}`);
  });
  for (let i = 0; i < 5; i++) await serve();
  expect(await stateOf(list)).toMatchObject({ isBuilt: true, members: 1 });
});

it('rebuilds a list if events were dropped while it was built', async () => {
  await seed(10_001);
  const list = await makeList(tenant, { event: 'signed_in' });
  await serve();
  expect(await stateOf(list)).toMatchObject({ isBuilt: false });
  const before = await t.db.row(sql<{ month: number }>`select month from event_floor`);
  try {
    await t.db.run(sql`update event_floor set month = month + 1`);
    await serve();
    const { count } = (await t.db.row(sql<{ count: number }>`
      select count(*) from dynamic_list l, event_floor f where ${listOf(list)} and (not l.is_built or l.event_floor < f.month)`)) ?? {
      count: 0,
    };
    expect(count).toBe(1);
  } finally {
    await t.db.run(sql`update event_floor set month = ${before?.month}`);
  }
});

it('evaluates forty lists of two hundred conditions', async () => {
  await seed(3);
  const condition = { property: 'renews_at', withinNext: 'P30D' };
  const lists: string[] = [];
  for (let i = 0; i < 40; i++)
    lists.push(await makeList(tenant, { any: Array.from({ length: 200 }, () => condition) }));
  const errors: unknown[] = [];
  for (let i = 0; i < 6; i++) await serve().catch((error) => errors.push(`${error.code} ${error.message}`));
  expect(errors).toEqual([]);
  expect(await stateOf(lists[0] as string)).toMatchObject({ isBuilt: true });
}, 240_000);
