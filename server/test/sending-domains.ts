// Sending domains and their DNS records.

import { expect } from 'vitest';
import type { Reply, TestApp } from './app.js';

export function expectFailure(reply: Reply, status: number, errorCode: string, detail?: string): void {
  expect(reply.status).toBe(status);
  expect(reply.body).toMatchObject({ data: null, meta: { status: 'FAILURE' } });
  expect(reply.body.errors[0].errorCode).toBe(errorCode);
  if (detail) expect(reply.body.errors[0].detail).toBe(detail);
}

export interface Shown {
  purpose: string;
  type: 'TXT' | 'CNAME' | 'A' | 'AAAA';
  name: string;
  value: string;
  state: string;
  detail: string;
}

export function x(t: TestApp) {
  async function newTenant(): Promise<number> {
    return (await t.admin.post('/admin/tenants', { name: 'Acme' })).body.data.tenantId;
  }

  return { newTenant };
}
