import type { Database } from '../../db/database.js';
import type { Acknowledger, EarlierWrites } from '../transactions/index.js';
import { userApplier } from './apply-writes.js';
import { eraseUsers } from './delete-user.js';
import { userSections } from './export-users.js';
import { userEndpoints } from './routes.js';

export { type UserNews, usersChanged } from './news.js';
export { productUserTable, sampleOfUsers, selectUsersAfter, type UserOfContact } from './queries.js';
export { lockDrafts as lockUserDrafts, storeDrafts as storeUserDrafts } from './store-drafts.js';
export { UserBook } from './user-book.js';
export type { Draft as UserDraft, UserDrafts } from './user-drafts.js';

interface UserNeeds {
  db: Database;
  acknowledger: Acknowledger;
  earlier: EarlierWrites;
}

export function users({ db, acknowledger, earlier }: UserNeeds) {
  return {
    endpoints: userEndpoints(db, acknowledger, earlier),
    appliers: [userApplier],
    erasers: [eraseUsers],
    exporters: userSections,
  };
}
