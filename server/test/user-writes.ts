// Writes of product users.

import { expect } from 'vitest';
import { sql } from '../src/db/sql.js';
import type { Reply, TenantClient, TestApp } from './app.js';

export const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export const operation = 'UPSERT_PRODUCT_USER';

export const codeOf = ({ status, body }: Reply) => [status, body.errors[0]?.errorCode];
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
export const statuses = (done: any) => done.results.map((row: { status: string }) => row.status);
export const names = (count: number, prefix = 'org-') => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
export async function write(tenant: TenantClient, body: object, headers?: Record<string, string>): Promise<any> {
  return tenant.done(await tenant.post('/v2/users', body, headers));
}

export function userWrites(t: TestApp) {
  /** A tenant with organizations. */
  async function tenantWith(...orgIds: string[]): Promise<TenantClient> {
    const tenant = await t.tenant();
    // One after the other: a hundred at once would wait for connections, and be refused on a busy machine.
    for (const orgId of orgIds)
      expect((await tenant.post('/v2/organizations', { orgId, name: orgId })).status).toBe(200);
    return tenant;
  }

  async function countRows(tenant: TenantClient): Promise<Record<string, number>> {
    const row = await t.db.row(sql<Record<string, number>>`
      select (select count(*) from write_transaction where tenant_id = ${tenant.tenantId}) as writes,
        (select count(*) from contact where tenant_id = ${tenant.tenantId}) as contacts,
        (select count(*) from product_user where tenant_id = ${tenant.tenantId}) as users,
        (select count(*) from org_membership where tenant_id = ${tenant.tenantId}) as memberships,
        (select count(*) from organization where tenant_id = ${tenant.tenantId}) as organizations`);
    return row as Record<string, number>;
  }

  return { tenantWith, countRows };
}
