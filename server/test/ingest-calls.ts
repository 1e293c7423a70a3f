// Calls of the ingest API.

import { expect } from 'vitest';
import { sql } from '../src/db/sql.js';
import type { Reply, TenantClient, TestApp } from './app.js';

export const basic = (token: string, password = '') => ({
  authorization: `Basic ${Buffer.from(`${token}:${password}`).toString('base64')}`,
});
export const message = { userId: 'ada', event: 'login' };
export const calls = ['batch', 'track', 'identify', 'group', 'page', 'screen', 'b', 't', 'i', 'g', 'p', 's'];
export const bodyOf = (call: string): Record<string, unknown> =>
  call[0] === 'b' ? { batch: [{ type: 'track', ...message }] } : message;

export function expectEmpty(reply: Reply, status: number): void {
  expect(reply).toMatchObject({ status, text: '' });
  expect(reply.headers).not.toHaveProperty('content-type');
  expect(reply.headers['x-request-id']).toBeTruthy();
}

export function ingestCalls(t: TestApp) {
  async function payloads(tenant: TenantClient): Promise<string[]> {
    const rows = await t.db.rows(sql<{ payload: string }>`
      select payload from write_transaction where tenant_id = ${tenant.tenantId} and kind = 'segment.batch' order by seq`);
    return rows.map((row) => row.payload);
  }

  return { payloads };
}
