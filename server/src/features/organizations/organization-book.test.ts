import { expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { OrganizationBook } from './organization-book.js';

const t = useApp();

it('starts over when the organization is made by another request meanwhile, and then changes that one', async () => {
  const tenant = await t.tenant();
  const now = '2026-11-15T09:30:00.000Z';
  const write = (meanwhile: () => Promise<unknown>) =>
    t.db.transaction(async (tx) => {
      const book = await OrganizationBook.open(tx, tenant.tenantId, ['acme'], []);
      expect(book.upsert('acme', null, { plan: 'pro' })).toBeUndefined();
      await meanwhile();
      await book.store(tx, tenant.tenantId, now);
    });
  const made = () => tenant.post('/v2/organizations', { orgId: 'acme', name: 'Acme Ltd', properties: { seats: 3 } });
  await expect(write(made)).rejects.toThrow('meanwhile');
  await write(async () => undefined);
  const { data } = (await tenant.get('/v2/organizations/acme')).body;
  expect(data).toMatchObject({ name: 'Acme Ltd', properties: { seats: 3, plan: 'pro' }, updatedAt: now });
  expect((await tenant.get('/v2/organizations')).body.pagination.totalElements).toBe(1);
});
