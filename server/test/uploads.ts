// Uploaded files of contacts.

import { expect } from 'vitest';
import { sql } from '../src/db/sql.js';
import type { Reply, TenantClient, TestApp } from './app.js';

export const url = '/v2/contacts/import';
export const csv = { 'content-type': 'text/csv' };

export function upload(
  tenant: TenantClient,
  file: string | Buffer,
  headers: Record<string, string> = csv,
): Promise<Reply> {
  return tenant.post(url, file, headers);
}

async function contactsOf(tenant: TenantClient): Promise<number> {
  return (await tenant.get('/v2/contacts?pageSize=1')).body.pagination.totalElements;
}

export function uploadsTo(test: TestApp) {
  async function chunksOf({ tenantId }: TenantClient): Promise<number> {
    const row = await test.db.row(
      sql<{ count: number }>`select count(*) as count from import_chunk where tenant_id = ${tenantId}`,
    );
    return row?.count ?? -1;
  }

  /** Nothing was applied, and nothing is left behind. */
  async function expectNothing(tenant: TenantClient): Promise<void> {
    expect(await chunksOf(tenant)).toBe(0);
    expect(await contactsOf(tenant)).toBe(0);
    const row = await test.db.row(
      sql<{ count: number }>`select count(*) as count from write_transaction where tenant_id = ${tenant.tenantId}`,
    );
    expect(row?.count).toBe(0);
  }

  return { chunksOf, expectNothing };
}
