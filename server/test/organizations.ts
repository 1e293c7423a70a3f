// Organizations and their members.

import { expect } from 'vitest';
import { sql } from '../src/db/sql.js';
import type { Reply, TenantClient, TestApp } from './app.js';

export const codeOf = ({ status, body }: Reply) => [status, body.errors[0]?.errorCode];
export const ids = ({ body }: Reply, key: string) => body.data.map((row: Record<string, string>) => row[key]);

export async function organization(tenant: TenantClient, orgId: string): Promise<void> {
  expect((await tenant.post('/v2/organizations', { orgId, name: orgId })).status).toBe(200);
}

export async function user(
  tenant: TenantClient,
  userId: string,
  orgIds: string[],
  email = `${userId}@x.io`,
): Promise<void> {
  const { results } = await tenant.done(await tenant.post('/v2/users', { email, userId, orgIds }));
  expect(results[0].status).not.toBe('FAILED');
}

export function organizationsOf(t: TestApp) {
  async function members(
    tenant: TenantClient,
    orgId: string,
  ): Promise<{ rows: string[]; total: number; stored: number }> {
    const reply = await tenant.get(`/v2/organizations/${encodeURIComponent(orgId)}/members?pageSize=200`);
    const stored = await t.db.row(sql<{ n: number }>`
      select count(*) as n from org_membership where tenant_id = ${tenant.tenantId} and org_id = ${orgId}`);
    return { rows: ids(reply, 'userId'), total: reply.body.pagination.totalElements, stored: stored?.n ?? -1 };
  }

  // Only an older version or a manual repair could leave memberships of an organization that does not exist.
  function forgetOrganization(tenant: TenantClient, orgId: string): Promise<number> {
    return t.db.run(sql`delete from organization where tenant_id = ${tenant.tenantId} and org_id = ${orgId}`);
  }

  return { members, forgetOrganization };
}
