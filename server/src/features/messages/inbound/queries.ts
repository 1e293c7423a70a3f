import type { Runner } from '../../../db/database.js';
import { sql } from '../../../db/sql.js';
import { tenantTable } from '../../tenants/index.js';

/** The tenant of a message. Looks through the ledger tenant by tenant: for an operator's command, not for every mail. */
export async function findTenantOf(db: Runner, messageId: string): Promise<number | undefined> {
  const row = await db.row(sql<{ tenantId: number }>`
    select message.tenant_id as "tenantId" from ${tenantTable}
    join message on message.tenant_id = tenant.tenant_id and message.message_id = ${messageId} limit 1`);
  return row && Number(row.tenantId);
}
