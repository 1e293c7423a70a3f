import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { lockTenant } from '../../db/locks.js';

let elapsed = 0;
/** No worker: what is acknowledged waits for ever. Its clock stands unless told. */
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
  await sleep(50);
  elapsed += 6000;
  for (const reply of await Promise.all(requests)) {
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
    while (!(await lockTenant(tx, tenant.tenantId))) await sleep(2);
    await tenant.post('/v2/users', { email: 'a@x.io', userId: 'a' });
    replies = Promise.all(
      Array.from(
        { length: 50 },
        async (_, i) => (await tenant.post('/v2/organizations', { orgId: `o${i}`, name: 'O' })).status,
      ),
    );
    await Promise.race([replies, sleep(60)]);
    expect((await tenant.get('/v2/organizations')).body.pagination.totalElements).toBe(0);
  });
  expect(new Set(await replies)).toEqual(new Set([200]));
});
