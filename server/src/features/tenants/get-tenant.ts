import type { Runner } from '../../db/database.js';
import { notFound } from '../../http/api-error.js';
import { findTenant, type TenantRow } from './queries.js';

/** The tenant whose number is in a path; 404 for any other text. */
export async function getTenant(db: Runner, tenantId: string): Promise<TenantRow> {
  const tenant = isNumber(tenantId) ? await findTenant(db, Number(tenantId)) : undefined;
  if (!tenant) throw notFound('tenant');
  return tenant;
}

// Identity numbers: 15 digits are far below 2^53 and bigint's range.
export function isNumber(text: string): boolean {
  return /^[1-9]\d{0,14}$/.test(text);
}
