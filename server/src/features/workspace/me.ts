import * as contract from '@rapport/contract';
import type { Database } from '../../db/database.js';
import { notFound } from '../../http/api-error.js';
import { type Caller, type Endpoint, endpoint } from '../../http/endpoint.js';
import { findSelf, selectOtherWorkspaces } from './queries.js';

export function meEndpoints({ db }: { db: Database }): Endpoint[] {
  return [endpoint(contract.getMe, async ({ caller }) => ({ data: await describe(db, caller) }))];
}

async function describe(db: Database, caller: Caller): Promise<contract.DataValue<typeof contract.getMe>> {
  const { tenantId, accountId, tokenId, tokenKind: kind, expiresAt = null, role } = caller;
  const [self, workspaces] = await Promise.all([
    findSelf(db, tenantId, accountId),
    selectOtherWorkspaces(db, tenantId, accountId, tokenId),
  ]);
  if (!self) throw notFound('account');
  const { workspace, timeZone, name, email } = self;
  return {
    account: { accountId, name, email, role },
    workspace: { tenantId, name: workspace, timeZone },
    token: { kind, scopes: [...caller.scopes] as contract.TokenScope[], expiresAt, tokenId: tokenId || null },
    workspaces,
  };
}
