import type { Transaction } from '../../db/database.js';
import { notFound } from '../../http/api-error.js';
import type { Properties } from '../contacts/index.js';
import { organizationsChanged } from './news.js';
import { mergedProperties } from './properties.js';
import { lockOrganization, type OrganizationRow, updateOrganizationRow } from './queries.js';

interface OrganizationChange {
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
  const before = current.properties as Properties;
  const { properties, changes } = mergedProperties(before, wanted === null ? without(before) : (wanted ?? {}));
  const nameChanged = newName !== current.name;
  if (!nameChanged && changes.length === 0) return current;
  const row = { orgId, name: newName, properties: JSON.stringify(properties) };
  const updated = (await updateOrganizationRow(tx, tenantId, row)) as OrganizationRow;
  await organizationsChanged.tell(tx, tenantId, updated.updatedAt, () => [
    { orgId, what: 'changed', nameChanged, changes },
  ]);
  return updated;
}

/** A write that removes every property. */
function without(properties: Properties): Record<string, null> {
  return Object.fromEntries(Object.keys(properties).map((key) => [key, null]));
}
