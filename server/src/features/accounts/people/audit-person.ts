// What people change about themselves is logged in every workspace that they belong to.
import type { Transaction } from '../../../db/database.js';
import { type AuditAction, recordAudit } from '../../audit/index.js';
import { selectMemberships } from '../../tenants/index.js';

/** Comes last in a transaction. In the order of workspaces, so that two transactions never wait for each other. */
export async function auditPerson(
  tx: Transaction,
  personId: number,
  address: string,
  action: AuditAction,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  for (const { tenantId, accountId, isActive } of await selectMemberships(tx, personId))
    if (isActive) await recordAudit(tx, { tenantId, accountId, address }, action, accountId, detail);
}
