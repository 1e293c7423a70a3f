import * as contract from '@rapport/contract';
import type { Database } from '../../db/database.js';
import { notFound } from '../../http/api-error.js';
import { type Endpoint, endpoint, pageOf } from '../../http/endpoint.js';
import { getContactByEmail } from '../contacts/index.js';
import { type Acknowledger, type EarlierWrites, readTransaction } from '../transactions/index.js';
import { userWriteKind } from './apply-writes.js';
import { createUser } from './create-user.js';
import { deleteUser } from './delete-user.js';
import { listMembers } from './list-members.js';
import { presentUserWrite } from './present-write.js';
import { findUser, selectUsersOf } from './queries.js';

/** `earlier`: writes of users that were acknowledged before, which a deletion must not overtake. */
export function userEndpoints(db: Database, acknowledger: Acknowledger, earlier: EarlierWrites): Endpoint[] {
  return [
    endpoint(contract.createUser, (call) => createUser(acknowledger, call)),
    endpoint(contract.getUser, async ({ caller, params }) => {
      const data = await findUser(db, caller.tenantId, params.userId);
      if (!data) throw notFound('user');
      return { data };
    }),
    endpoint(contract.getUsersByEmail, async ({ caller, params }) => {
      const contact = await getContactByEmail(db, caller.tenantId, params.email);
      return { data: await selectUsersOf(db, caller.tenantId, contact.id) };
    }),
    endpoint(contract.deleteUser, async ({ caller, params }) => {
      await earlier.applied(caller.tenantId);
      await db.transaction((tx) => deleteUser(tx, caller.tenantId, params.userId));
      return { data: { success: true } };
    }),
    endpoint(contract.getUserTransaction, async ({ caller, params }) => ({
      data: await readTransaction(db, caller.tenantId, params.transactionId, (kind) =>
        kind === userWriteKind ? presentUserWrite : undefined,
      ),
    })),
    endpoint(contract.listOrganizationMembers, ({ caller, params, query }) =>
      listMembers(db, caller.tenantId, params.orgId, pageOf(query)),
    ),
  ];
}
