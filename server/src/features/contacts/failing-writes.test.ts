// A run of writes that fails, while a listener to its news is not done yet.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { useDatabase } from '../../../test/database.js';
import { sql } from '../../db/sql.js';
import { contactsChanged } from './news.js';
import { planAndStore } from './plan-and-store.js';
import type { Request } from './plan-writes.js';

const t = useDatabase();

it('ends only once nothing of it is on its way: what comes late is not stored, and the first error is told', async () => {
  await t.db.run(sql`create table heard (tenant_id integer)`);
  await t.db.run(sql`alter table contact add constraint no_poison check (email <> 'poison@x.io')`);
  let heard: Promise<number> | undefined;
  contactsChanged.hear(t.db.identity, async (tx, tenantId) => {
    heard = sleep(100).then(() => tx.run(sql`insert into heard values (${tenantId})`));
    await heard;
  });
  const request: Request = { kind: 'upsert', items: [{ ok: true, email: 'poison@x.io', properties: {} }] };
  const writing = t.db.transaction((tx) =>
    planAndStore(tx, 1, [request], '2026-11-15T00:00:00.000Z', undefined, (planner) => {
      planner.plan(request);
    }),
  );
  await expect(writing).rejects.toThrow('no_poison');
  await expect(heard).rejects.toThrow();
  expect(await t.db.rows(sql`select tenant_id from heard`)).toEqual([]);
});
