import * as contract from '@rapport/contract';
import { type Endpoint, endpoint, pageOf } from '../../http/endpoint.js';
import { secretOnce } from '../idempotency/index.js';
import { getTenant, isNumber } from '../tenants/index.js';
import { actorOf, type WorkspaceNeeds } from './needs.js';

type Needs = Pick<WorkspaceNeeds, 'db' | 'box' | 'invitations'>;

export function invitationEndpoints({ db, box, invitations }: Needs): Endpoint[] {
  return [
    endpoint(contract.listInvitations, ({ caller, query }) => invitations.list(caller.tenantId, pageOf(query))),
    endpoint(contract.createInvitation, (call) =>
      secretOnce({ db, box }, call, 'link', (tx) => invitations.create(tx, actorOf(call), call.body)),
    ),
    endpoint(contract.resendInvitation, (call) =>
      secretOnce({ db, box }, call, 'link', (tx) =>
        invitations.resend(tx, actorOf(call), numberOf(call.params.invitationId)),
      ),
    ),
    endpoint(contract.revokeInvitation, async (call) => {
      const invitationId = numberOf(call.params.invitationId);
      await db.transaction((tx) => invitations.revoke(tx, actorOf(call), invitationId));
      return { data: { invitationId, success: true } };
    }),
    endpoint(contract.createTenantInvitation, async ({ params, body, address }) => {
      const { tenantId } = await getTenant(db, params.tenantId);
      const operator = { tenantId, accountId: null, address };
      return { data: await db.transaction((tx) => invitations.create(tx, operator, body)) };
    }),
  ];
}

/** No account has the number 0. */
function numberOf(id: string): number {
  return isNumber(id) ? Number(id) : 0;
}
