import type { Runner } from '../../../db/database.js';
import { sql } from '../../../db/sql.js';
import { tenantTable } from '../../tenants/index.js';

/** Whose message this is. Asks tenant by tenant, as the ledger is kept: for a person's command, not for every mail. */
export async function findTenantOf(db: Runner, messageId: string): Promise<number | undefined> {
  const row = await db.row(sql<{ tenantId: number }>`
    select message.tenant_id as "tenantId" from ${tenantTable}
    join message on message.tenant_id = tenant.tenant_id and message.message_id = ${messageId} limit 1`);
  return row && Number(row.tenantId);
}
