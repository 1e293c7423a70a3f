import type { Runner } from '../../db/database.js';
import { ApiError, errorItem } from '../../http/api-error.js';
import { selectUnknown } from './queries.js';

/** Refuses ids that are neither an organization nor named by a membership: nothing is created implicitly. */
export async function requireOrganizations(db: Runner, tenantId: number, orgIds: readonly string[]): Promise<void> {
  if (orgIds.length === 0) return;
  const unknown = await selectUnknown(db, tenantId, orgIds);
  if (unknown.length === 0) return;
  const items = unknown.map((orgId) => errorItem('NOT_FOUND', { what: 'organization' }, orgId));
  throw new ApiError('NOT_FOUND', { what: 'organization' }, { items });
}
