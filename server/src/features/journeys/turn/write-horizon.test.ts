import { expect, it } from 'vitest';
import { useDatabase } from '../../../../test/database.js';
import { newTenant } from '../../../../test/transactions.js';
import { locks, lockTenant } from '../../../db/locks.js';
import { selectWriteHorizon } from './queries.js';

const t = useDatabase();

it('is when a batch began that is being applied where it is acknowledged, until it is through', async () => {
  const tenantId = await newTenant(t.db);
  const other = await newTenant(t.db);
  expect(await selectWriteHorizon(t.db, tenantId)).toBe(Number.POSITIVE_INFINITY);
  const before = Date.now();
  await t.db.transaction(async (tx) => {
    await lockTenant(tx, tenantId, locks.writeTurn);
    const horizon = await selectWriteHorizon(t.db, tenantId);
    expect(horizon).toBeGreaterThan(before - 1000);
    expect(horizon).toBeLessThanOrEqual(Date.now() + 1000);
    expect(await selectWriteHorizon(t.db, other)).toBe(Number.POSITIVE_INFINITY);
  });
  expect(await selectWriteHorizon(t.db, tenantId)).toBe(Number.POSITIVE_INFINITY);
});
