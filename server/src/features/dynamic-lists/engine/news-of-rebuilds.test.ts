import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { makeDynamicList as makeList, seedContacts } from '../../../../test/dynamic-lists.js';
import { bytes, sql } from '../../../db/sql.js';
import { unwatched } from '../../../work/queue.js';
import { Subjects } from '../../filter-language/subjects.js';
import { audienceQueue } from './audience-queue.js';
import { failLists, rebuildForFloor } from './builds/queries.js';
import { Filters } from './filters.js';
import { type AudienceNews, audiencesChanged } from './news.js';

// No worker: turns are taken one by one.
const t = useApp();
let tenant: TenantClient;
let queue: ReturnType<typeof audienceQueue>;
let told: AudienceNews[];
beforeAll(() => {
  audiencesChanged.hear(t.db.identity, async (_tx, tenantId, items) => {
    if (tenantId === tenant.tenantId) told.push(...items);
  });
});
beforeEach(async () => {
  tenant = await t.tenant();
  queue = audienceQueue(t.db.background, new Filters(() => new Subjects([])));
  told = [];
});
const serve = async () => {
  for (let turn = 0; turn < 3; turn++) await queue.serve(tenant.tenantId, unwatched, new AbortController().signal);
};

async function fail(listId: string): Promise<void> {
  await t.db.transaction(async (tx) => {
    const list = await tx.row(sql<{ listNo: number; revision: number }>`
      select list_no as "listNo", revision from dynamic_list where tenant_id = ${tenant.tenantId} and list_id = ${bytes(listId)}`);
    await failLists(tx, tenant.tenantId, list ? [list] : [], 'It broke.');
    await tx.run(sql`update dynamic_list set due_at = now() where tenant_id = ${tenant.tenantId}`);
  });
}

async function setPlan(contactId: string | undefined, plan: string): Promise<void> {
  await t.db.run(sql`
    update contact set properties = ${JSON.stringify({ plan })}::jsonb
    where tenant_id = ${tenant.tenantId} and contact_id = ${contactId}::uuid`);
}

async function mark(contactId: string | undefined): Promise<void> {
  await t.db.run(sql`
    insert into audience_change (tenant_id, contact_id, list_nos, changed_at)
    values (${tenant.tenantId}, ${contactId}::uuid, '{}', now())`);
}

const contacts = [
  { email: 'a@x.io', properties: { plan: 'pro' } },
  { email: 'b@x.io', properties: { plan: 'free' } },
];

describe('a list that is built anew without an edit', () => {
  it('tells who joined and left while it was set aside after a failure', async () => {
    const [a, b] = await seedContacts(t, tenant, contacts);
    const list = await makeList(tenant, { property: 'plan', is: 'pro' });
    await serve();
    expect(told).toEqual([]);
    await fail(list);
    await setPlan(a, 'free');
    await setPlan(b, 'pro');
    // One was marked while the list was set aside, the other's mark had been taken by the turn that failed.
    await mark(b);
    await serve();
    expect(told.sort((x, y) => x.what.localeCompare(y.what))).toEqual([
      { listId: list, contactId: b, what: 'joined' },
      { listId: list, contactId: a, what: 'left' },
    ]);
    await serve();
    expect(told).toHaveLength(2);
  });

  it('tells who leaves because events were dropped', async () => {
    const [a] = await seedContacts(t, tenant, contacts);
    await t.db.run(sql`
      insert into event (tenant_id, contact_id, event_date, event_no, event_name)
      values (${tenant.tenantId}, ${a}::uuid, '2020-01-15', 1, 'signed_in')`);
    const list = await makeList(tenant, { event: 'signed_in' });
    await serve();
    expect(told).toEqual([]);
    const before = await t.db.row(sql<{ month: number }>`select month from event_floor`);
    try {
      await t.db.run(sql`update event_floor set month = 2021 * 12`);
      await rebuildForFloor(t.db, 100);
      await serve();
      expect(told).toEqual([{ listId: list, contactId: a, what: 'left' }]);
    } finally {
      await t.db.run(sql`update event_floor set month = ${before?.month}`);
    }
  });
});

describe('a list that begins', () => {
  it('announces none of its members, even if its first build fails', async () => {
    await seedContacts(t, tenant, contacts);
    const list = await makeList(tenant, { property: 'plan', is: 'pro' });
    await fail(list);
    await serve();
    expect(told).toEqual([]);
  });

  it('announces none of the members that an edited filter finds, even if the build after the edit fails', async () => {
    await seedContacts(t, tenant, contacts);
    const list = await makeList(tenant, { property: 'plan', is: 'pro' });
    await serve();
    await tenant.patch(`/v2/dynamic-lists/${list}`, { filter: { property: 'plan', is: 'free' } });
    await fail(list);
    await serve();
    expect(told).toEqual([]);
  });
});
