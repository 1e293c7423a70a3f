import type { Transaction } from '../../db/database.js';
import { notFound } from '../../http/api-error.js';
import type { Properties } from '../contacts/index.js';
import { mergedProperties } from './properties.js';
import { lockOrganization, type OrganizationRow, updateOrganizationRow } from './queries.js';

export interface OrganizationChange {
  name?: string;
  /** null removes them all. */
  properties?: Record<string, unknown> | null;
}

/** A change that changes nothing leaves `updatedAt` alone. */
export async function updateOrganization(
  tx: Transaction,
  tenantId: number,
  orgId: string,
  { name, properties: wanted }: OrganizationChange,
): Promise<OrganizationRow> {
  const current = await lockOrganization(tx, tenantId, orgId);
  if (!current) throw notFound('organization');
  const newName = name ?? current.name;
  const before = JSON.stringify(current.properties);
  const after = JSON.stringify(wanted === null ? {} : mergedProperties(current.properties as Properties, wanted ?? {}));
  if (newName === current.name && after === before) return current;
  const updated = await updateOrganizationRow(tx, tenantId, { orgId, name: newName, properties: after });
  return updated as OrganizationRow;
}
