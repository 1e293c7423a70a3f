import { type EntryRow, selectEntriesAfter } from '../src/features/audit/queries.js';
import type { TestApp } from './app.js';

/** The audit log of a tenant, the oldest entry first. */
export function auditOf(t: Pick<TestApp, 'db'>, tenantId: number): Promise<EntryRow[]> {
  return selectEntriesAfter(t.db, tenantId, 0, 1000);
}
