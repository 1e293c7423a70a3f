import * as contract from '@rapport/contract';
import { type Caller, type Endpoint, endpoint, pageOf } from '../../../http/endpoint.js';
import { type AppNeeds, disconnect } from './disconnect.js';
import { selectApps } from './queries.js';

export function connectedAppEndpoints(needs: AppNeeds): Endpoint[] {
  return [
    endpoint(contract.listConnectedApps, ({ caller, query }) =>
      selectApps(needs.db, caller.tenantId, isAdmin(caller) ? null : caller.accountId, pageOf(query)),
    ),
    endpoint(contract.disconnectApp, async ({ caller, params, address }) => {
      await disconnect(needs, { ...caller, address }, params.appId);
      return { data: { appId: params.appId, success: true } };
    }),
  ];
}

const isAdmin = ({ role }: Caller) => role === 'admin';
