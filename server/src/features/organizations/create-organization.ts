import type { Transaction } from '../../db/database.js';
import { ApiError } from '../../http/api-error.js';
import { newUuid } from '../../lib/ids.js';
import { mergedProperties } from './properties.js';
import { insertOrganization, type OrganizationRow } from './queries.js';

export async function createOrganization(
  tx: Transaction,
  tenantId: number,
  { orgId = newUuid(), name, properties = {} }: { orgId?: string; name: string; properties?: Record<string, unknown> },
): Promise<OrganizationRow> {
  const json = JSON.stringify(mergedProperties({}, properties));
  const organization = await insertOrganization(tx, tenantId, { orgId, name, properties: json });
  if (!organization) throw new ApiError('ORGANIZATION_ALREADY_EXISTS', { orgId });
  return organization;
}
