import type { Transaction } from '../../db/database.js';
import { notFound } from '../../http/api-error.js';
import type { Eraser } from '../contacts/index.js';
import { removeFromAll } from '../organizations/index.js';
import { selectFailedTransactions } from '../transactions/index.js';
import { usersChanged } from './news.js';
import { deleteUserRow, forgetWrites, forgetWritesOf, lockUsers, lockUsersOf, readTime } from './queries.js';

// The lock is a statement of its own: the next one then sees every membership that was added before it.
export async function deleteUser(tx: Transaction, tenantId: number, userId: string): Promise<void> {
  const [user] = await lockUsers(tx, tenantId, [userId]);
  if (!user) throw notFound('user');
  await deleteWithMemberships(tx, tenantId, user, await readTime(tx));
}

/** Erases what users keep about a person: users, memberships, and the ids in results of older writes. */
export const eraseUsers: Eraser = async (tx, tenantId, { id, email }, now) => {
  for (const userId of await lockUsersOf(tx, tenantId, id))
    await deleteWithMemberships(tx, tenantId, { userId, contactId: id }, now);
  await forgetWritesOf(tx, tenantId, id);
  const failed = await selectFailedTransactions(tx, tenantId, email);
  if (failed.length > 0) await forgetWrites(tx, tenantId, failed);
};

async function deleteWithMemberships(
  tx: Transaction,
  tenantId: number,
  { userId, contactId }: { userId: string; contactId: string },
  now: string,
): Promise<void> {
  await removeFromAll(tx, tenantId, userId, now);
  await deleteUserRow(tx, tenantId, userId);
  await usersChanged.tell(tx, tenantId, now, () => [{ userId, contactId, what: 'deleted', changes: [], removed: {} }]);
}
