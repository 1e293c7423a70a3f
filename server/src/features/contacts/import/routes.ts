import * as contract from '@rapport/contract';
import type { Database } from '../../../db/database.js';
import { type Endpoint, endpoint } from '../../../http/endpoint.js';
import type { Acknowledger } from '../../transactions/index.js';
import { importContacts } from './import-contacts.js';

export function importEndpoints(db: Database, acknowledger: Acknowledger): Endpoint[] {
  return [endpoint(contract.importContacts, (call) => importContacts(db, acknowledger, call))];
}
