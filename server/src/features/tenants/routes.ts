import * as contract from '@rapport/contract';
import type { Database } from '../../db/database.js';
import { notFound } from '../../http/api-error.js';
import { type Endpoint, endpoint, offsetOf } from '../../http/endpoint.js';
import { createTenant } from './create-tenant.js';
import { createToken } from './create-token.js';
import * as queries from './queries.js';

/** `forgetTokens` empties this node's token cache, so that a change is felt here at once. */
export function tenantEndpoints(db: Database, forgetTokens: () => void): Endpoint[] {
  async function getTenant(tenantId: string): Promise<queries.TenantRow> {
    const tenant = isNumber(tenantId) ? await queries.findTenant(db, Number(tenantId)) : undefined;
    if (!tenant) throw notFound('tenant');
    return tenant;
  }

  return [
    endpoint(contract.createTenant, async ({ body }) => ({ data: await createTenant(db, body) })),
    endpoint(contract.listTenants, async ({ query }) => ({
      rows: await queries.selectTenants(db, query.pageSize, offsetOf(query)),
      total: await queries.countTenants(db),
    })),
    endpoint(contract.updateTenant, async ({ params, body }) => {
      const { tenantId } = await getTenant(params.tenantId);
      const data = await queries.updateTenantRow(db, tenantId, body);
      if (!data) throw notFound('tenant');
      forgetTokens();
      return { data };
    }),
    endpoint(contract.createAccount, async ({ params, body }) => {
      const { tenantId } = await getTenant(params.tenantId);
      return { data: await queries.insertAccount(db, tenantId, body.name, body.email ?? null) };
    }),
    endpoint(contract.listAccounts, async ({ params, query }) => {
      const { tenantId } = await getTenant(params.tenantId);
      const rows = await queries.selectAccounts(db, tenantId, query.pageSize, offsetOf(query));
      return { rows, total: await queries.countAccounts(db, tenantId) };
    }),
    endpoint(contract.createToken, async ({ params, body }) => {
      const { tenantId } = await getTenant(params.tenantId);
      return { data: await createToken(db, tenantId, body) };
    }),
    endpoint(contract.listTokens, async ({ params, query }) => {
      const { tenantId } = await getTenant(params.tenantId);
      const rows = await queries.selectTokens(db, tenantId, query.pageSize, offsetOf(query));
      return { rows, total: await queries.countTokens(db, tenantId) };
    }),
    endpoint(contract.revokeToken, async ({ params }) => {
      const { tenantId } = await getTenant(params.tenantId);
      const tokenId = isNumber(params.tokenId) ? Number(params.tokenId) : 0;
      if (!(await queries.revokeTokenRow(db, tenantId, tokenId))) throw notFound('token');
      forgetTokens();
      return { data: { tokenId, success: true } };
    }),
    endpoint(contract.addSendingDomain, async ({ params, body }) => {
      const { tenantId } = await getTenant(params.tenantId);
      await queries.insertSendingDomain(db, tenantId, body.domain);
      return { data: { domain: body.domain } };
    }),
    endpoint(contract.listSendingDomains, async ({ params, query }) => {
      const { tenantId } = await getTenant(params.tenantId);
      const rows = await queries.selectSendingDomains(db, tenantId, query.pageSize, offsetOf(query));
      return { rows, total: await queries.countSendingDomains(db, tenantId) };
    }),
    endpoint(contract.removeSendingDomain, async ({ params }) => {
      const { tenantId } = await getTenant(params.tenantId);
      const domain = params.domain.trim().toLowerCase();
      if (!(await queries.deleteSendingDomain(db, tenantId, domain))) throw notFound('sending domain');
      return { data: { domain, success: true } };
    }),
  ];
}

// Identity numbers: 15 digits are far below 2^53 and bigint's range.
function isNumber(text: string): boolean {
  return /^[1-9]\d{0,14}$/.test(text);
}
