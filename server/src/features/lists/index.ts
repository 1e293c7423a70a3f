import type { Database } from '../../db/database.js';
import type { ListUseCheck } from './delete-list.js';
import { eraseMemberships, memberEndpoints, membershipSection } from './members/routes.js';
import type { DynamicListing } from './queries.js';
import { listEndpoints } from './routes.js';

export type { ListUseCheck } from './delete-list.js';
export { changeMembers } from './members/change-members.js';
export { membersChanged } from './members/news.js';
export { holdList, memberColumns, staticMembers, staticMemberships } from './members/queries.js';
export { type DynamicListing, type DynamicListRow, listMemberTable, selectListNames } from './queries.js';

interface ListNeeds {
  db: Database;
  /** Uses that prevent a list from being deleted; filled by the app. */
  uses: readonly ListUseCheck[];
  /** Dynamic lists are shown after static ones. */
  dynamic: DynamicListing;
}

export function lists({ db, uses, dynamic }: ListNeeds) {
  return {
    endpoints: [...listEndpoints(db, uses, dynamic), ...memberEndpoints(db)],
    erasers: [eraseMemberships],
    exporters: [membershipSection],
  };
}
