import * as contract from '@rapport/contract';
import type { Database } from '../../db/database.js';
import { type Endpoint, endpoint, pageOf } from '../../http/endpoint.js';
import { isContactId } from '../../lib/ids.js';
import { type Acknowledger, readTransaction } from '../transactions/index.js';
import { eventWriteKind, presentEventWrite } from './apply-events.js';
import { describeProperties } from './names/describe-properties.js';
import { listNames } from './names/queries.js';
import { readRecent } from './recent/index.js';
import { productEvents, readTimeline, selectPage } from './timeline/index.js';

export function eventEndpoints(db: Database, acknowledger: Acknowledger): Endpoint[] {
  return [
    endpoint(contract.createEvents, (call) =>
      acknowledger.answer(call, {
        kind: eventWriteKind,
        items: call.body.events.length,
        payload: call.text(),
        body: call.body,
      }),
    ),
    endpoint(contract.getEventTransaction, async ({ caller, params }) => ({
      data: await readTransaction(db, caller.tenantId, params.transactionId, (kind) =>
        kind === eventWriteKind ? presentEventWrite : undefined,
      ),
    })),
    endpoint(contract.listProductActivity, async ({ caller, params, query }) => {
      if (!isContactId(params.id)) return { rows: [], total: 0 };
      const owner = { tenantId: caller.tenantId, contactId: params.id };
      const page = pageOf(query);
      return readTimeline(db, [productEvents], owner, query, page, (place) =>
        selectPage(db, productEvents, owner, place),
      );
    }),
    endpoint(contract.listRecentEvents, async ({ caller, query }) => ({
      data: await readRecent(db, caller.tenantId, query),
    })),
    endpoint(contract.listEventNames, ({ caller, query }) =>
      listNames(db, caller.tenantId, query.search, pageOf(query)),
    ),
    endpoint(contract.listEventProperties, async ({ caller, params }) => ({
      data: await describeProperties(db, caller.tenantId, params.eventName),
    })),
  ];
}
