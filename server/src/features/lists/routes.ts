import * as contract from '@rapport/contract';
import type { Database } from '../../db/database.js';
import { notFound } from '../../http/api-error.js';
import { type Endpoint, endpoint, pageOf } from '../../http/endpoint.js';
import { isAssetId } from '../../lib/ids.js';
import { answerOnce } from '../idempotency/index.js';
import { createList } from './create-list.js';
import { deleteList, type ListUseCheck } from './delete-list.js';
import { listLists } from './list-lists.js';
import { type DynamicListing, findStaticList } from './queries.js';
import { updateList } from './update-list.js';

/** `uses` says what prevents a list from being deleted. */
export function listEndpoints(db: Database, uses: readonly ListUseCheck[], dynamic: DynamicListing): Endpoint[] {
  return [
    endpoint(contract.listLists, ({ caller, query }) =>
      listLists(db, dynamic, caller.tenantId, { type: query.type, search: query.search, ...pageOf(query) }),
    ),
    endpoint(contract.createList, (call) => answerOnce(db, call, (tx) => createList(tx, call.caller, call.body))),
    endpoint(contract.getList, async ({ caller, params }) => {
      const data = isAssetId(params.id) ? await findStaticList(db, caller.tenantId, params.id) : undefined;
      if (!data) throw notFound('list');
      return { data };
    }),
    endpoint(contract.updateList, async ({ caller, params, body }) => {
      await db.transaction((tx) => updateList(tx, caller, params.id, body));
      return { data: { staticListId: params.id, success: true } };
    }),
    endpoint(contract.deleteList, async ({ caller, params }) => {
      await db.transaction((tx) => deleteList(tx, caller, params.id, uses));
      return { data: { staticListId: params.id, success: true } };
    }),
  ];
}
