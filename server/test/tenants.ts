// Tenants and their tokens, as an operator creates them.

import { expect } from 'vitest';
import type { Reply, TestApp } from './app.js';

export function expectFailure(reply: Reply, status: number, errorCode: string, detail?: string): void {
  expect(reply.status).toBe(status);
  expect(reply.body).toMatchObject({ data: null, meta: { status: 'FAILURE' } });
  expect(reply.body.errors[0].errorCode).toBe(errorCode);
  if (detail) expect(reply.body.errors[0].detail).toBe(detail);
}

export function tenantsOf(t: TestApp) {
  async function newTenant(body: object = { name: 'Acme' }): Promise<number> {
    return (await t.admin.post('/admin/tenants', body)).body.data.tenantId;
  }

  async function newToken(
    tenantId: number,
    body: object = {},
  ): Promise<{ tokenId: number; token: string; expiresAt: string | null }> {
    const made = await t.admin.post(`/admin/tenants/${tenantId}/tokens`, {
      name: 'CRM',
      scopes: ['READ', 'WRITE'],
      ...body,
    });
    return made.body.data;
  }

  return { newTenant, newToken };
}
