// Imports of contacts.

import { locks, lockTenant } from '../src/db/locks.js';
import type { Reply, TenantClient, TestApp } from './app.js';

export const url = '/v2/contacts/import';
export const csv = { 'content-type': 'text/csv' };

export function errorsOf(tenant: TenantClient, acknowledged: Reply): Promise<Reply> {
  return tenant.get(`/exports/transactions/${acknowledged.body.data.transactionId}/errors`);
}

export function numbered(count: number, prefix = 'c'): string {
  return `email,n\n${Array.from({ length: count }, (_, i) => `${prefix}${i}@x.de,${i}`).join('\n')}`;
}

export function importsTo(test: TestApp) {
  /** While this runs, no worker serves the tenant. */
  async function whileLocked<T>(tenantId: number, act: () => Promise<T>): Promise<T> {
    return test.db.transaction(async (tx) => {
      while (!(await lockTenant(tx, tenantId, locks.writes))) await new Promise((resolve) => setTimeout(resolve, 5));
      return act();
    });
  }

  return { whileLocked };
}
