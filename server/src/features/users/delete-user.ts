import type { Transaction } from '../../db/database.js';
import { notFound } from '../../http/api-error.js';
import type { Eraser } from '../contacts/index.js';
import { deleteMembershipsOf } from '../organizations/index.js';
import { selectFailedTransactions } from '../transactions/index.js';
import { deleteUserRow, forgetWrites, forgetWritesOf, lockUsers, lockUsersOf } from './queries.js';

/** Removes what another feature keeps of users that are deleted: nothing would lead an erasure of their contact to it. */
export type UsersDeleted = (tx: Transaction, tenantId: number, userIds: readonly string[]) => Promise<void>;

// The lock is a statement of its own: what follows then sees every membership that was added before it.
export async function deleteUser(
  tx: Transaction,
  tenantId: number,
  userId: string,
  listeners: readonly UsersDeleted[],
): Promise<void> {
  const found = await lockUsers(tx, tenantId, [userId]);
  if (found.length === 0) throw notFound('user');
  for (const tell of listeners) await tell(tx, tenantId, [userId]);
  await deleteWithMemberships(tx, tenantId, userId);
}

/** What users keep of a person: users, memberships, and the ids that results of older writes show. */
export const eraseUsers: Eraser = async (tx, tenantId, { id, email }) => {
  for (const userId of await lockUsersOf(tx, tenantId, id)) await deleteWithMemberships(tx, tenantId, userId);
  await forgetWritesOf(tx, tenantId, id);
  const failed = await selectFailedTransactions(tx, tenantId, email);
  if (failed.length > 0) await forgetWrites(tx, tenantId, failed);
};

async function deleteWithMemberships(tx: Transaction, tenantId: number, userId: string): Promise<void> {
  await deleteMembershipsOf(tx, tenantId, userId);
  await deleteUserRow(tx, tenantId, userId);
}
