import * as contract from '@rapport/contract';
import type { Database } from '../../db/database.js';
import { notFound } from '../../http/api-error.js';
import { type Endpoint, endpoint, pageOf } from '../../http/endpoint.js';
import { answerOnce } from '../idempotency/index.js';
import type { EarlierWrites } from '../transactions/index.js';
import { createOrganization } from './create-organization.js';
import { removeMembership } from './memberships.js';
import { findOrganization, selectOrganizations } from './queries.js';
import { updateOrganization } from './update-organization.js';

/**
 * All routes but the list of members, which shows product users, a feature above this one. `earlier`: writes of users and organizations that
 * were acknowledged before. Requests here must not overtake them.
 */
export function organizationEndpoints(db: Database, earlier: EarlierWrites): Endpoint[] {
  return [
    endpoint(contract.listOrganizations, ({ caller, query }) =>
      selectOrganizations(db, caller.tenantId, query, pageOf(query)),
    ),
    endpoint(contract.createOrganization, async (call) => {
      await earlier.applied(call.caller.tenantId);
      return answerOnce(db, call, (tx) => createOrganization(tx, call.caller.tenantId, call.body));
    }),
    endpoint(contract.getOrganization, async ({ caller, params }) => {
      const data = await findOrganization(db, caller.tenantId, params.orgId);
      if (!data) throw notFound('organization');
      return { data };
    }),
    endpoint(contract.updateOrganization, async ({ caller, params, body }) => {
      await earlier.applied(caller.tenantId);
      return { data: await db.transaction((tx) => updateOrganization(tx, caller.tenantId, params.orgId, body)) };
    }),
    endpoint(contract.removeOrganizationMember, async ({ caller, params }) => {
      await earlier.applied(caller.tenantId);
      const wasMember = await db.transaction((tx) => removeMembership(tx, caller.tenantId, params));
      if (!wasMember) throw notFound('member of this organization');
      return { data: { success: true } };
    }),
  ];
}
