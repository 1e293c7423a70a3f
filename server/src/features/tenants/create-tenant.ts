import type { Database } from '../../db/database.js';
import { insertAccount, insertTenant, type TenantRow } from './queries.js';

/** A tenant with its first account, so that a token can be made for it at once. */
export function createTenant(db: Database, tenant: { name: string; rateLimit?: number }): Promise<TenantRow> {
  return db.transaction(async (tx) => {
    const row = await insertTenant(tx, tenant.name, tenant.rateLimit);
    await insertAccount(tx, row.tenantId, 'Owner', null);
    return row;
  });
}
