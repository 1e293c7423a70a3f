// The names of tenants and accounts, for pages that would otherwise show numbers.
import type { Runner } from '../../../db/database.js';
import { sql } from '../../../db/sql.js';

export async function selectTenantNames(db: Runner, tenantIds: readonly number[]): Promise<Map<number, string>> {
  const rows = await db.rows(sql<{ tenantId: number; name: string }>`
    select tenant_id as "tenantId", name from tenant where tenant_id = any(${tenantIds}::bigint[])`);
  return new Map(rows.map(({ tenantId, name }) => [tenantId, name]));
}

/** For those of these that exist, deactivated ones too. */
export async function selectAccountNames(
  db: Runner,
  tenantId: number,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.rows(sql<{ accountId: number; name: string }>`
    select account_id as "accountId", name from account
    where tenant_id = ${tenantId} and account_id = any(${ids}::bigint[])`);
  return new Map(rows.map(({ accountId, name }) => [accountId, name]));
}
