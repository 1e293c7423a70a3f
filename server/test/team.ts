// A workspace with people of every role, each with a token, for tests of permissions.
import type { Role } from '@rapport/contract';
import { makePerson, type TestPerson } from './accounts.js';
import type { Client, TenantClient, TestApp } from './app.js';

export interface Teammate extends Client, TestPerson {
  token: string;
}

export interface Team {
  tenantId: number;
  /** The account that the tenant was created with. No person signs in to it. */
  program: TenantClient;
  admin: Teammate;
  member: Teammate;
  viewer: Teammate;
}

export async function makeTeammate(t: TestApp, tenantId: number, role: Role): Promise<Teammate> {
  const person = await makePerson(t, { tenantId, role, name: `A ${role}` });
  return { ...person, ...(await withNewToken(t, person)) };
}

/** Another token for an account, created by an operator. */
export async function withNewToken(
  t: TestApp,
  { tenantId, accountId }: { tenantId: number; accountId: number },
  more: object = {},
): Promise<Client & { token: string; tokenId: number }> {
  const wanted = { name: 'test', scopes: ['READ', 'WRITE'], accountId, ...more };
  const { body } = await t.admin.post(`/admin/tenants/${tenantId}/tokens`, wanted);
  const { token, tokenId } = body.data;
  return { token, tokenId, ...t.withToken(token) };
}

export async function makeTeam(t: TestApp): Promise<Team> {
  const program = await t.tenant();
  const { tenantId } = program;
  const mate = (role: Role) => makeTeammate(t, tenantId, role);
  return { tenantId, program, admin: await mate('admin'), member: await mate('member'), viewer: await mate('viewer') };
}
