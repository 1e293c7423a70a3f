import type { Transaction } from '../../db/database.js';
import type { Listener } from '../../db/news.js';
import type { UserDraft, UserNews } from '../users/index.js';
import { IngestBook } from './ingest-book.js';
import { forgetUsers, insertRefusals } from './queries.js';
import { WaitingBook } from './waiting-book.js';

/** New users get what waited for them. What waited for deleted users goes too: an erasure could not find it. */
export const onUsersChanged: Listener<UserNews> = async (tx, tenantId, users, now) => {
  const made = users.filter(({ what }) => what === 'created');
  if (made.length > 0) await settle(tx, tenantId, made, now);
  const gone = users.filter(({ what }) => what === 'deleted');
  if (gone.length > 0)
    await forgetUsers(
      tx,
      tenantId,
      gone.map(({ userId }) => userId),
    );
};

/** One lookup where nothing waits. */
async function settle(tx: Transaction, tenantId: number, made: readonly UserNews[], now: string): Promise<void> {
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
}
