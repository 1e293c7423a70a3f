import * as contract from '@rapport/contract';
import type { Database } from '../../db/database.js';
import { type Endpoint, endpoint, pageOf } from '../../http/endpoint.js';
import { getContact } from '../contacts/index.js';
import { marketingEvents, productEvents, readTimeline, selectPage } from '../events/index.js';
import { selectBoth, withoutNulls } from './queries.js';

/** Unlike product activity alone, these say when there is no such contact. */
export function activityEndpoints(db: Database): Endpoint[] {
  return [
    endpoint(contract.listMarketingActivity, async ({ caller, params, query }) => {
      const owner = await ownerOf(db, caller.tenantId, params.id);
      const page = pageOf(query);
      return readTimeline(db, [marketingEvents], owner, query, page, async (place) =>
        withoutNulls(await selectPage(db, marketingEvents, owner, place)),
      );
    }),
    endpoint(contract.listContactActivity, async ({ caller, params, query }) => {
      const owner = await ownerOf(db, caller.tenantId, params.id);
      const page = pageOf(query);
      return readTimeline(db, [productEvents, marketingEvents], owner, query, page, async (place) =>
        withoutNulls(await selectBoth(db, owner, place)),
      );
    }),
  ];
}

async function ownerOf(db: Database, tenantId: number, id: string) {
  const contact = await getContact(db, tenantId, id);
  return { tenantId, contactId: contact.id };
}
