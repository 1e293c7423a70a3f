import type { Transaction } from '../../db/database.js';
import { membershipsChanged } from './news.js';
import { deleteMembership, deleteMembershipsOf, insertMemberships, type Membership } from './queries.js';

/** Adds missing memberships. Under the tenant's lock, so that the same ones are not added twice. */
export async function addMemberships(
  tx: Transaction,
  tenantId: number,
  joined: readonly Membership[],
  now: string,
): Promise<void> {
  if (joined.length === 0) return;
  await insertMemberships(tx, tenantId, joined, now);
  await membershipsChanged.tell(tx, tenantId, now, () => joined.map((one) => ({ ...one, what: 'joined' })));
}

/** Whether the user was a member. */
export async function removeMembership(tx: Transaction, tenantId: number, membership: Membership): Promise<boolean> {
  const now = await deleteMembership(tx, tenantId, membership);
  if (now === undefined) return false;
  await membershipsChanged.tell(tx, tenantId, now, () => [{ ...membership, what: 'left' }]);
  return true;
}

/** Removes a user from every organization. */
export async function removeFromAll(tx: Transaction, tenantId: number, userId: string, now: string): Promise<void> {
  const orgIds = await deleteMembershipsOf(tx, tenantId, userId);
  await membershipsChanged.tell(tx, tenantId, now, () => orgIds.map((orgId) => ({ orgId, userId, what: 'left' })));
}
