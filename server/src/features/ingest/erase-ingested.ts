import type { Eraser } from '../contacts/index.js';
import { lockUsersOf } from '../users/index.js';
import { forgetUsers } from './queries.js';

/** What the log and the waiting list keep of a person. Before the users go: they lead to it. */
export const eraseIngested: Eraser = async (tx, tenantId, { id }) => {
  const userIds = await lockUsersOf(tx, tenantId, id);
  if (userIds.length > 0) await forgetUsers(tx, tenantId, userIds);
};
