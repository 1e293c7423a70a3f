import type { Database } from '../../db/database.js';
import { inSteps } from '../../work/chores.js';
import type { ListUseCheck } from './delete-list.js';
import { keepStaticSizes, sweepGrowth } from './growth/queries.js';
import { departureSection, eraseDepartures, growthEndpoints } from './growth/routes.js';
import { eraseMemberships, memberEndpoints, membershipSection } from './members/routes.js';
import type { DynamicListing } from './queries.js';
import { listEndpoints } from './routes.js';

export type { ListUseCheck } from './delete-list.js';
export {
  findGrowth,
  forgetSizes,
  type GrowingList,
  intoDays,
  type ListPlace,
  lacksToday,
  type SizeNow,
  selectMovements,
  selectStaticSizes,
  sizesAfter,
  today,
} from './growth/queries.js';
export { changeMembers } from './members/change-members.js';
export { membersChanged } from './members/news.js';
export {
  departureKept,
  holdList,
  holdLists,
  intoDepartures,
  memberColumns,
  staticMembers,
  staticMemberships,
} from './members/queries.js';
export { type DynamicListing, type DynamicListRow, listMemberTable, selectListNames } from './queries.js';

interface ListNeeds {
  db: Database;
  /** Uses that prevent a list from being deleted; filled by the app. */
  uses: readonly ListUseCheck[];
  /** Dynamic lists are shown after static ones. */
  dynamic: DynamicListing;
}

export function lists({ db, uses, dynamic }: ListNeeds) {
  const keepSizes = (signal: AbortSignal) => inSteps((atMost) => keepStaticSizes(db.background, atMost), signal);
  const sweep = (signal: AbortSignal) => inSteps((atMost) => sweepGrowth(db.background, atMost), signal);
  return {
    endpoints: [...listEndpoints(db, uses, dynamic), ...memberEndpoints(db), ...growthEndpoints(db)],
    erasers: [eraseMemberships, eraseDepartures],
    exporters: [membershipSection, departureSection],
    chores: [
      { name: 'sizes of static lists', everyMs: 600_000, run: keepSizes },
      { name: 'old sizes of lists', everyMs: 3_600_000, run: sweep },
    ],
  };
}
