import * as contract from '@rapport/contract';
import type { Database } from '../../db/database.js';
import { type Endpoint, endpoint, pageOf } from '../../http/endpoint.js';
import { listProperties, listValues } from './describe-properties.js';

export function propertyEndpoints(db: Database): Endpoint[] {
  return [
    endpoint(contract.listProperties, ({ caller, query }) =>
      listProperties(db, caller.tenantId, query.of ?? 'contact', query.search, pageOf(query)),
    ),
    endpoint(contract.listPropertyValues, async ({ caller, params, query }) => ({
      data: await listValues(db, caller.tenantId, query.of ?? 'contact', params.key, query.search),
    })),
  ];
}
