import type { Runner } from '../../../db/database.js';
import { bytes, sql } from '../../../db/sql.js';

export async function insertHeader(db: Runner, tenantId: number, headerId: string, sealed: string): Promise<void> {
  await db.run(sql`
    insert into webhook_header (tenant_id, header_id, sealed) values (${tenantId}, ${bytes(headerId)}, ${bytes(sealed)})`);
}

export function selectHeaders(
  db: Runner,
  tenantId: number,
  ids: readonly string[],
): Promise<{ headerId: string; sealed: string }[]> {
  return db.rows(sql<{ headerId: string; sealed: string }>`
    select header_id as "headerId", sealed from webhook_header
    where tenant_id = ${tenantId} and header_id = any(${ids.map((id) => Buffer.from(id, 'hex'))}::bytea[])`);
}

export async function updateHeader(db: Runner, tenantId: number, headerId: string, sealed: string): Promise<void> {
  await db.run(sql`
    update webhook_header set sealed = ${bytes(sealed)} where tenant_id = ${tenantId} and header_id = ${bytes(headerId)}`);
}

export async function deleteHeaders(db: Runner, tenantId: number, ids: readonly string[]): Promise<void> {
  await db.run(sql`
    delete from webhook_header
    where tenant_id = ${tenantId} and header_id = any(${ids.map((id) => Buffer.from(id, 'hex'))}::bytea[])`);
}
