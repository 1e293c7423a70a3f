import * as contract from '@rapport/contract';
import type { Database } from '../../../db/database.js';
import { type Endpoint, endpoint, pageOf } from '../../../http/endpoint.js';
import type { Acknowledger } from '../../transactions/index.js';
import { importContacts } from './import-contacts.js';
import { getImport, listImports } from './list-imports.js';

export function importEndpoints(db: Database, acknowledger: Acknowledger): Endpoint[] {
  return [
    endpoint(contract.importContacts, (call) => importContacts(db, acknowledger, call)),
    endpoint(contract.listImports, ({ caller, query }) => listImports(db, caller.tenantId, pageOf(query))),
    endpoint(contract.getImport, async ({ caller, params }) => ({
      data: await getImport(db, caller.tenantId, params.transactionId),
    })),
  ];
}
