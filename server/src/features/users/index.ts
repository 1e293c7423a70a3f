export { userApplier, userWriteKind } from './apply-writes.js';
export { eraseUsers } from './delete-user.js';
export { lockUsersOf } from './queries.js';
export { userEndpoints } from './routes.js';
export { lockDrafts as lockUserDrafts, storeDrafts as storeUserDrafts } from './store-drafts.js';
export { UserBook } from './user-book.js';
export type { Draft as UserDraft, UserDrafts } from './user-drafts.js';
export type { UsersMade } from './users-made.js';
