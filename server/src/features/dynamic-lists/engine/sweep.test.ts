// What a deleted list leaves behind goes, a few rows at a time.
import { expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { makeDynamicList } from '../../../../test/dynamic-lists.js';
import { eventually } from '../../../../test/messages.js';
import { sql } from '../../../db/sql.js';
import { sweepDeleted } from './queries.js';

const t = useApp({ work: true });

it('leaves neither members nor their counter', async () => {
  const tenant = await t.tenant();
  const contacts = Array.from({ length: 5 }, (_, i) => ({ email: `c${i}@x.io`, properties: { plan: 'pro' } }));
  await tenant.done(await tenant.post('/v2/contacts/batch', { contacts }));
  const id = await makeDynamicList(tenant, { property: 'plan', is: 'pro' });
  const read = async () => (await tenant.get(`/v2/dynamic-lists/${id}`)).body.data;
  await eventually(read, ({ memberCount }) => memberCount === 5);
  const left = () =>
    t.db.row(sql<{ members: number; counters: number }>`
      select (select count(*) from dynamic_member where tenant_id = ${tenant.tenantId}) as members,
        (select count(*) from counter_delta where tenant_id = ${tenant.tenantId} and counter like 'dynamic_members:%') as counters`);
  expect(await left()).toMatchObject({ members: 5 });
  expect((await tenant.delete(`/v2/dynamic-lists/${id}`)).status).toBe(200);
  while ((await sweepDeleted(t.db.background, 2)) > 0);
  expect(await left()).toEqual({ members: 0, counters: 0 });
});
