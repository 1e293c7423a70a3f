import type { Database } from '../../db/database.js';
import { requireOrganizations } from '../organizations/index.js';
import { selectMembers, type UserRow } from './queries.js';

/** One page of an organization's product users. */
export async function listMembers(
  db: Database,
  tenantId: number,
  orgId: string,
  limit: number,
  offset: number,
): Promise<{ rows: UserRow[]; total: number }> {
  const found = await selectMembers(db.patient, tenantId, orgId, limit, offset);
  const total = found[0]?.total ?? 0;
  if (total === 0) await requireOrganizations(db, tenantId, [orgId]);
  return { rows: found.filter((row) => row.userId !== null) as UserRow[], total };
}
