import * as contract from '@rapport/contract';
import type { Database } from '../../db/database.js';
import { type Endpoint, endpoint, pageOf } from '../../http/endpoint.js';
import { type Actor, recordAudit } from '../audit/index.js';
import { createTenant } from './create-tenant.js';
import { createToken, revokeToken } from './create-token.js';
import { getTenant } from './get-tenant.js';
import * as queries from './queries.js';
import { checkTimeZone } from './time-zone.js';
import { updateTenant } from './update-tenant.js';

/** `forgetTokens` empties this node's token cache, so that a change takes effect here at once. */
export function tenantEndpoints(db: Database, forgetTokens: () => void): Endpoint[] {
  const operatorOf = async (call: { params: { tenantId: string }; address: string }): Promise<Actor> => {
    const { tenantId } = await getTenant(db, call.params.tenantId);
    return { tenantId, accountId: null, address: call.address };
  };
  return [
    endpoint(contract.createTenant, async ({ body }) => ({ data: await createTenant(db, body) })),
    endpoint(contract.listTenants, ({ query }) => queries.selectTenants(db, pageOf(query))),
    endpoint(contract.updateTenant, async (call) => {
      checkTimeZone(call.body.timeZone);
      const actor = await operatorOf(call);
      const data = await db.transaction((tx) => updateTenant(tx, actor, call.body));
      forgetTokens();
      return { data };
    }),
    endpoint(contract.createAccount, async (call) => {
      const actor = await operatorOf(call);
      const { name, email = null } = call.body;
      return {
        data: await db.transaction(async (tx) => {
          const made = await queries.insertAccount(tx, actor.tenantId, name, email);
          await recordAudit(tx, actor, 'account.created', made.accountId, { name });
          return made;
        }),
      };
    }),
    endpoint(contract.listAccounts, async ({ params, query }) => {
      const { tenantId } = await getTenant(db, params.tenantId);
      return queries.selectAccounts(db, tenantId, pageOf(query));
    }),
    endpoint(contract.createToken, async (call) => {
      const actor = await operatorOf(call);
      return { data: await db.transaction((tx) => createToken(tx, actor, call.body)) };
    }),
    endpoint(contract.listTokens, async ({ params, query }) => {
      const { tenantId } = await getTenant(db, params.tenantId);
      return queries.selectTokens(db, tenantId, null, pageOf(query));
    }),
    endpoint(contract.revokeToken, async (call) => {
      const actor = await operatorOf(call);
      const data = await db.transaction((tx) => revokeToken(tx, actor, call.params.tokenId, null));
      forgetTokens();
      return { data };
    }),
  ];
}
