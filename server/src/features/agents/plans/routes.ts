import * as contract from '@rapport/contract';
import type { Database } from '../../../db/database.js';
import { type Endpoint, endpoint, pageOf } from '../../../http/endpoint.js';
import { selectPlans } from './queries.js';

export function planEndpoints(db: Database): Endpoint[] {
  return [
    endpoint(contract.listAgentPlans, ({ caller: { tenantId, accountId, role }, query }) =>
      selectPlans(db, tenantId, role === 'admin' ? null : accountId, pageOf(query)),
    ),
  ];
}
