import * as contract from '@rapport/contract';
import type { Database } from '../../../db/database.js';
import { notFound } from '../../../http/api-error.js';
import { type Caller, type Endpoint, endpoint, pageOf } from '../../../http/endpoint.js';
import { revokeGrant } from '../revoke.js';
import { findAppOwner, selectApps } from './queries.js';

export interface AppNeeds {
  db: Database;
  /** Felt on this node at once; other nodes remember tokens for 3 s at most. */
  forgetTokens(): void;
}

export function connectedAppEndpoints(needs: AppNeeds): Endpoint[] {
  return [
    endpoint(contract.listConnectedApps, ({ caller, query }) =>
      selectApps(needs.db, caller.tenantId, isAdmin(caller) ? null : caller.accountId, pageOf(query)),
    ),
    endpoint(contract.disconnectApp, async ({ caller, params, address }) => {
      await disconnect(needs, caller, params.appId, address);
      return { data: { appId: params.appId, success: true } };
    }),
  ];
}

const isAdmin = ({ role }: Caller) => role === 'admin';

/** Another's app is unknown to whoever is no admin. */
async function disconnect({ db, forgetTokens }: AppNeeds, caller: Caller, appId: string, address: string) {
  const { tenantId, accountId } = caller;
  const owner = /^[0-9a-f]{64}$/.test(appId) ? await findAppOwner(db, tenantId, appId) : undefined;
  if (owner === undefined || (owner !== accountId && !isAdmin(caller))) throw notFound('connected app');
  await revokeGrant(db, appId, { action: 'app.disconnected', accountId, address });
  forgetTokens();
}
