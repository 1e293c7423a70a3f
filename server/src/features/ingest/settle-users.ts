import type { UserDraft, UsersMade } from '../users/index.js';
import { IngestBook } from './ingest-book.js';
import { insertRefusals } from './queries.js';
import { WaitingBook } from './waiting-book.js';

/** Users that others have made get what waited for them. One lookup where nothing did. */
export const settleUsers: UsersMade = async (tx, tenantId, made, now) => {
  const removed = new Map(made.map((user) => [user.userId, user.removed]));
  const waiting = await WaitingBook.open(tx, tenantId, [...removed.keys()]);
  if (waiting.all.length === 0) return;
  const userIds = waiting.all.map(({ userId }) => userId);
  const links = waiting.all.flatMap(({ userId, orgIds }) => orgIds.map((orgId) => ({ orgId, userId })));
  const names = { userIds, emails: [], groups: [], orgIds: [], links };
  const book = await IngestBook.open(tx, tenantId, names, now, waiting);
  for (const userId of userIds) book.settle(book.users.find(userId) as UserDraft, {}, removed.get(userId));
  await book.store(tx, tenantId);
  await insertRefusals(tx, tenantId, book.refusals);
};
