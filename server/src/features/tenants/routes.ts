import * as contract from '@rapport/contract';
import type { Database } from '../../db/database.js';
import { notFound } from '../../http/api-error.js';
import { type Endpoint, endpoint, pageOf } from '../../http/endpoint.js';
import { createTenant } from './create-tenant.js';
import { createToken } from './create-token.js';
import { getTenant, isNumber } from './get-tenant.js';
import * as queries from './queries.js';
import { checkTimeZone } from './time-zone.js';

/** `forgetTokens` empties this node's token cache, so that a change is felt here at once. */
export function tenantEndpoints(db: Database, forgetTokens: () => void): Endpoint[] {
  return [
    endpoint(contract.createTenant, async ({ body }) => ({ data: await createTenant(db, body) })),
    endpoint(contract.listTenants, ({ query }) => queries.selectTenants(db, pageOf(query))),
    endpoint(contract.updateTenant, async ({ params, body }) => {
      checkTimeZone(body.timeZone);
      const { tenantId } = await getTenant(db, params.tenantId);
      const data = await queries.updateTenantRow(db, tenantId, body);
      if (!data) throw notFound('tenant');
      forgetTokens();
      return { data };
    }),
    endpoint(contract.createAccount, async ({ params, body }) => {
      const { tenantId } = await getTenant(db, params.tenantId);
      return { data: await queries.insertAccount(db, tenantId, body.name, body.email ?? null) };
    }),
    endpoint(contract.listAccounts, async ({ params, query }) => {
      const { tenantId } = await getTenant(db, params.tenantId);
      return queries.selectAccounts(db, tenantId, pageOf(query));
    }),
    endpoint(contract.createToken, async ({ params, body }) => {
      const { tenantId } = await getTenant(db, params.tenantId);
      return { data: await createToken(db, tenantId, body) };
    }),
    endpoint(contract.listTokens, async ({ params, query }) => {
      const { tenantId } = await getTenant(db, params.tenantId);
      return queries.selectTokens(db, tenantId, pageOf(query));
    }),
    endpoint(contract.revokeToken, async ({ params }) => {
      const { tenantId } = await getTenant(db, params.tenantId);
      const tokenId = isNumber(params.tokenId) ? Number(params.tokenId) : 0;
      if (!(await queries.revokeTokenRow(db, tenantId, tokenId))) throw notFound('token');
      forgetTokens();
      return { data: { tokenId, success: true } };
    }),
  ];
}
