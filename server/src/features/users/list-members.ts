import type { Database } from '../../db/database.js';
import type { Page, PageOf } from '../../db/paged.js';
import { requireOrganizations } from '../organizations/index.js';
import { selectMembers, type UserRow } from './queries.js';

/** One page of an organization's product users. */
export async function listMembers(db: Database, tenantId: number, orgId: string, page: PageOf): Promise<Page<UserRow>> {
  const members = await selectMembers(db, tenantId, orgId, page);
  if (members.total === 0) await requireOrganizations(db, tenantId, [orgId]);
  return members;
}
