export { userApplier, userWriteKind } from './apply-writes.js';
export { eraseUsers } from './delete-user.js';
export { userEndpoints } from './routes.js';
export { UserBook } from './user-book.js';
