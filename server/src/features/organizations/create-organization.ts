import type { Transaction } from '../../db/database.js';
import { ApiError } from '../../http/api-error.js';
import { newUuid } from '../../lib/ids.js';
import { allOf } from '../contacts/index.js';
import { organizationsChanged } from './news.js';
import { mergedProperties } from './properties.js';
import { insertOrganization, type OrganizationRow } from './queries.js';

export async function createOrganization(
  tx: Transaction,
  tenantId: number,
  { orgId = newUuid(), name, properties = {} }: { orgId?: string; name: string; properties?: Record<string, unknown> },
): Promise<OrganizationRow> {
  const merged = mergedProperties({}, properties);
  const organization = await insertOrganization(tx, tenantId, {
    orgId,
    name,
    properties: JSON.stringify(merged.properties),
  });
  if (!organization) throw new ApiError('ORGANIZATION_ALREADY_EXISTS', { orgId });
  await organizationsChanged.tell(tx, tenantId, organization.createdAt, () => [
    { orgId, what: 'created', nameChanged: true, changes: allOf(merged.properties) },
  ]);
  return organization;
}
