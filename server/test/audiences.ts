// Dynamic lists for tests: their members, and whether everything has been evaluated.
import { expect } from 'vitest';
import { sql } from '../src/db/sql.js';
import type { TenantClient } from './app.js';
import type { TestDatabase } from './database.js';

/** Waits until nothing of the tenant waits to be evaluated. Needs `work: true`. */
export async function settled(t: TestDatabase, tenantId: number): Promise<void> {
  await expect
    .poll(() => waiting(t, tenantId), { timeout: 60_000, interval: 20 })
    .toEqual({ changes: 0, orgs: 0, moments: 0, builds: 0 });
}

async function waiting(t: TestDatabase, tenantId: number): Promise<unknown> {
  return t.db.row(sql`
    select (select count(*) from audience_change where tenant_id = ${tenantId}) as changes,
      (select count(*) from audience_org_change where tenant_id = ${tenantId}) as orgs,
      (select count(*) from dynamic_due where tenant_id = ${tenantId} and due_at <= clock_timestamp()) as moments,
      (select count(*) from dynamic_list where tenant_id = ${tenantId} and not is_built and deleted_at is null) as builds`);
}

/** The addresses of a list's members, sorted. */
export async function members(tenant: TenantClient, listId: string): Promise<string[]> {
  const { body } = await tenant.get(`/v2/dynamic-lists/${listId}/members?pageSize=200`);
  return body.data.map(({ email }: { email: string }) => email).sort();
}
