import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { locks, lockTenant } from '../../db/locks.js';
import { type Sql, sql } from '../../db/sql.js';
import { firstPending, lastPending } from './pending/queries.js';

let elapsed = 0;
/** Without a worker: acknowledged writes wait forever. Its clock moves only when told. */
const idle = useApp({ clock: { now: () => new Date(), elapsed: () => elapsed } });
const t = useApp({ work: true });

it('makes a request about users or organizations wait for a bounded time, then asks to try again, and changes nothing', async () => {
  const tenant = await idle.tenant();
  await tenant.post('/v2/organizations', { orgId: 'acme', name: 'Acme' });
  await tenant.post('/v2/users', { email: 'a@x.io', userId: 'a', orgIds: ['acme'] });
  const requests = [
    tenant.patch('/v2/organizations/acme', { name: 'Other' }),
    tenant.post('/v2/organizations', { orgId: 'new', name: 'New' }),
    tenant.delete('/v2/users/a'),
    tenant.delete('/v2/organizations/acme/members/a'),
  ];
  const ticking = setInterval(() => {
    elapsed += 1000;
  }, 20);
  const replies = await Promise.all(requests).finally(() => clearInterval(ticking));
  for (const reply of replies) {
    expect(reply.status).toBe(503);
    expect(reply.headers['retry-after']).toBe('2');
    expect(reply.body.errors[0]).toMatchObject({ errorCode: 'NOT_READY' });
    expect(reply.body.errors[0].message).toContain('acknowledged earlier');
  }
  expect((await tenant.get('/v2/organizations/acme')).body.data.name).toBe('Acme');
  expect((await tenant.get('/v2/organizations/new')).status).toBe(404);
});

it('does not wait for writes of contacts, nor for those of other tenants', async () => {
  const [tenant, other] = [await idle.tenant(), await idle.tenant()];
  await other.post('/v2/users', { email: 'a@x.io', userId: 'a' });
  await tenant.post('/v1/contacts', { email: 'a@x.io' });
  expect((await tenant.post('/v2/organizations', { orgId: 'o', name: 'O' })).status).toBe(200);
});

it('lets a request go on as soon as what it waits for is applied, however many wait together', async () => {
  const tenant = await t.tenant();
  let replies: Promise<number[]> | undefined;
  await t.db.transaction(async (tx) => {
    while (!(await lockTenant(tx, tenant.tenantId, locks.writes))) await sleep(2);
    await tenant.post('/v2/users', { email: 'a@x.io', userId: 'a' });
    replies = Promise.all(
      Array.from(
        { length: 25 },
        async (_, i) => (await tenant.post('/v2/organizations', { orgId: `o${i}`, name: 'O' })).status,
      ),
    );
    await Promise.race([replies, sleep(60)]);
    expect((await tenant.get('/v2/organizations')).body.pagination.totalElements).toBe(0);
  });
  expect(new Set(await replies)).toEqual(new Set([200]));
});

it('looks at only a few writes, however many wait: the lane is shared', async () => {
  const tenant = await idle.tenant();
  await tenant.post('/v2/users', { email: 'a@x.io', userId: 'a' });
  await idle.db.run(sql`
    insert into write_transaction (tenant_id, transaction_id, kind, items, payload)
    select ${tenant.tenantId}, gen_random_uuid(), 'contact.create', 1, '{}' from generate_series(1, 5000)`);
  await idle.db.run(sql`analyze write_transaction`);
  let plan = '';
  const explaining = {
    ...idle.db,
    row: async <Row>(statement: Sql<Row>): Promise<Row | undefined> => {
      const rows = await idle.db.rows(sql<{ 'QUERY PLAN': string }>`explain (analyze, timing off) ${statement}`);
      plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      return undefined;
    },
  };
  await lastPending(explaining, tenant.tenantId, ['user.upsert']);
  expect(plan).toContain('write_transaction_pending');
  expect(plan).not.toContain('Rows Removed');
  // The user's write is older than those that were read, but it is waited for anyway.
  const first = await firstPending(idle.db, tenant.tenantId);
  expect(await lastPending(idle.db, tenant.tenantId, ['user.upsert'])).toBeGreaterThan(first as number);
});
