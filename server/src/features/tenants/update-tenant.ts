import type { Transaction } from '../../db/database.js';
import { notFound } from '../../http/api-error.js';
import { type Actor, recordAudit } from '../audit/index.js';
import { type TenantChange, type TenantRow, updateTenantRow } from './queries.js';
import { checkTimeZone } from './time-zone.js';

/** Changes the given fields, for operators and for admins of the workspace alike. */
export async function updateTenant(tx: Transaction, actor: Actor, change: TenantChange): Promise<TenantRow> {
  const { name, timeZone, rateLimit } = change;
  checkTimeZone(timeZone);
  const tenant = await updateTenantRow(tx, actor.tenantId, { name, timeZone, rateLimit });
  if (!tenant) throw notFound('tenant');
  await recordAudit(tx, actor, 'workspace.changed', null, { name, timeZone, rateLimit });
  return tenant;
}
