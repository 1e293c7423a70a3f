import type { Transaction } from '../../db/database.js';
import { addMemberships, type Membership, selectMemberships } from '../organizations/index.js';
import { usersChanged } from './news.js';
import { insertUsers, lockUsers, updateUsers } from './queries.js';
import { UserDrafts } from './user-drafts.js';

/**
 * `links`: memberships to look up. Users are locked first: from then on they cannot be deleted, and the memberships that are read next stay
 * theirs.
 */
export async function lockDrafts(
  tx: Transaction,
  tenantId: number,
  userIds: readonly string[],
  links: readonly Membership[],
): Promise<UserDrafts> {
  const stored = userIds.length === 0 ? [] : await lockUsers(tx, tenantId, [...new Set(userIds)]);
  const isStored = new Set(stored.map((user) => user.userId));
  const asked = links.filter(({ userId }) => isStored.has(userId));
  return new UserDrafts(stored, asked.length === 0 ? [] : await selectMemberships(tx, tenantId, asked));
}

/** Their contacts must have been stored before. */
export async function storeDrafts(tx: Transaction, tenantId: number, drafts: UserDrafts, now: string): Promise<void> {
  await insertUsers(tx, tenantId, drafts.added, now);
  await updateUsers(tx, tenantId, drafts.changed, now);
  await addMemberships(tx, tenantId, drafts.joined, now);
  await usersChanged.tell(tx, tenantId, now, () => drafts.news());
}
