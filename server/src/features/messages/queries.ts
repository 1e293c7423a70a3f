import type { Runner } from '../../db/database.js';
import { bytes, sql } from '../../db/sql.js';

/** The secret that is kept, which is the given one where there was none. Two who ask together get the same. */
export async function keepTenantSecret(db: Runner, tenantId: number, purpose: string, sealed: Buffer): Promise<Buffer> {
  const row = await db.row(sql<{ sealed: string }>`
    insert into tenant_secret as t (tenant_id, purpose, sealed) values (${tenantId}, ${purpose}, ${bytes(sealed.toString('hex'))})
    on conflict (tenant_id, purpose) do update set sealed = t.sealed returning sealed`);
  return Buffer.from((row as { sealed: string }).sealed, 'hex');
}

export async function findTenantSecret(db: Runner, tenantId: number, purpose: string): Promise<Buffer | undefined> {
  const row = await db.row(sql<{ sealed: string }>`
    select sealed from tenant_secret where tenant_id = ${tenantId} and purpose = ${purpose}`);
  return row && Buffer.from(row.sealed, 'hex');
}
