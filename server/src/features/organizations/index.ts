import type { Database } from '../../db/database.js';
import { inSteps } from '../../work/chores.js';
import type { EarlierWrites } from '../transactions/index.js';
import { foldOrganizations } from './queries.js';
import { organizationEndpoints } from './routes.js';

export { addMemberships, removeFromAll } from './memberships.js';
export { membershipsChanged, organizationsChanged } from './news.js';
export { OrganizationBook } from './organization-book.js';
export {
  type Membership,
  memberCount,
  type OrganizationOfUser,
  orgMembershipTable,
  sampleOfOrganizations,
  selectMemberships,
  selectOrganizationsOf,
  selectUnknown as unknownOrganizations,
} from './queries.js';
export { requireOrganizations } from './require-organizations.js';

export function organizations({ db, earlier }: { db: Database; earlier: EarlierWrites }) {
  const fold = (atMost: number) => db.background.transaction((tx) => foldOrganizations(tx, atMost));
  return {
    endpoints: organizationEndpoints(db, earlier),
    // Organizations stored by an earlier build, including those it makes while a newer one is rolled out.
    chores: [
      {
        name: 'names of organizations',
        everyMs: 60_000,
        atStart: true,
        run: (signal: AbortSignal) => inSteps(fold, signal),
      },
    ],
  };
}
