import type { Database } from '../../db/database.js';
import type { EarlierWrites } from '../transactions/index.js';
import { organizationEndpoints } from './routes.js';

export { addMemberships, removeFromAll } from './memberships.js';
export { type MembershipNews, membershipsChanged, type OrganizationNews, organizationsChanged } from './news.js';
export { OrganizationBook } from './organization-book.js';
export {
  type Membership,
  memberCount,
  type OrganizationOfUser,
  selectMemberships,
  selectOrganizationsOf,
  selectUnknown as unknownOrganizations,
} from './queries.js';
export { requireOrganizations } from './require-organizations.js';

export function organizations({ db, earlier }: { db: Database; earlier: EarlierWrites }) {
  return { endpoints: organizationEndpoints(db, earlier) };
}
