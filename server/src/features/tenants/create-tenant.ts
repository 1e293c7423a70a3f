import type { Database } from '../../db/database.js';
import { insertAccount, insertTenant, type NewTenant, type TenantRow } from './queries.js';
import { checkTimeZone } from './time-zone.js';

/** A tenant with its first account, so that a token can be made for it at once. */
export async function createTenant(db: Database, tenant: NewTenant): Promise<TenantRow> {
  checkTimeZone(tenant.timeZone);
  return db.transaction(async (tx) => {
    const row = await insertTenant(tx, tenant);
    await insertAccount(tx, row.tenantId, 'Owner', null);
    return row;
  });
}
