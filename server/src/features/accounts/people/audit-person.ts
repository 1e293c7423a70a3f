// What a person does about themselves is of interest in every workspace that they belong to.
import type { Transaction } from '../../../db/database.js';
import { type AuditAction, recordAudit } from '../../audit/index.js';
import { selectMemberships } from '../../tenants/index.js';

/** As the last thing in a transaction. In the order of the workspaces, so that two never wait for each other. */
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
