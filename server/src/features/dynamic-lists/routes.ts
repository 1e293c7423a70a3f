import * as contract from '@rapport/contract';
import type { Database, Transaction } from '../../db/database.js';
import { oneByOne } from '../../db/one-by-one.js';
import { notFound } from '../../http/api-error.js';
import { type Endpoint, endpoint, pageOf } from '../../http/endpoint.js';
import { isAssetId } from '../../lib/ids.js';
import { getContact } from '../contacts/index.js';
import { answerOnce, effectOnce } from '../idempotency/index.js';
import { findGrowth, type GrowingList, selectMovements } from '../lists/index.js';
import type { Authoring } from './authoring.js';
import { breakDownFilter } from './break-down-filter.js';
import { createDynamicList } from './create-list.js';
import { deleteDynamicList } from './delete-list.js';
import { explain, explainUnsaved } from './explain.js';
import { selectStates } from './freshness/queries.js';
import { getDetails } from './get-list.js';
import { findGrowing, selectMembers, selectMemberships } from './members/queries.js';
import { preview } from './preview.js';
import { lockEdits, selectDynamicLists } from './queries.js';
import { updateDynamicList } from './update-list.js';

export function dynamicListEndpoints(db: Database, authoring: Authoring): Endpoint[] {
  const inTurn = oneByOne('other edits of dynamic lists are on their way');
  return [
    endpoint(contract.listDynamicLists, ({ caller, query }) =>
      selectDynamicLists(db, caller.tenantId, query.search, pageOf(query)),
    ),
    endpoint(contract.listDynamicListStates, ({ caller, query }) => selectStates(db, caller.tenantId, pageOf(query))),
    endpoint(contract.createDynamicList, async (call) => {
      const filter = authoring.read(call.body.filter);
      const make = (tx: Transaction) => createDynamicList(tx, call.caller, call.body, filter, authoring);
      return inTurn(call.caller.tenantId, () => answerOnce(db, call, make));
    }),
    endpoint(contract.getDynamicList, async ({ caller, params }) => ({
      data: await getDetails(db, caller.tenantId, params.id, authoring.subjects),
    })),
    endpoint(contract.updateDynamicList, async ({ caller, params, body }) => {
      const filter = 'filter' in body ? authoring.read(body.filter) : undefined;
      const edit = () =>
        db.transaction(async (tx) => {
          if (filter) {
            await lockEdits(tx, caller.tenantId);
            await authoring.refuseKept(tx, caller.tenantId, params.id);
          }
          return updateDynamicList(tx, caller, params.id, body, filter, authoring);
        });
      return { data: await (filter ? inTurn(caller.tenantId, edit) : edit()) };
    }),
    endpoint(contract.deleteDynamicList, async ({ caller, params }) => {
      await inTurn(caller.tenantId, () => db.transaction((tx) => deleteDynamicList(tx, caller, params.id, authoring)));
      return { data: { dynamicListId: params.id, success: true } };
    }),
    endpoint(contract.listDynamicMembers, async ({ caller, params, query }) => {
      const page = isAssetId(params.id)
        ? await selectMembers(db, caller.tenantId, params.id, pageOf(query))
        : undefined;
      if (!page) throw notFound('dynamic list');
      return page;
    }),
    endpoint(contract.getDynamicListGrowth, async ({ caller: { tenantId }, params }) => ({
      data: await findGrowth(db.slow(tenantId), tenantId, await getGrowing(db, tenantId, params.id)),
    })),
    endpoint(contract.listDynamicListMovements, async ({ caller: { tenantId }, params, query }) =>
      selectMovements(db, tenantId, await getGrowing(db, tenantId, params.id), query.what, pageOf(query)),
    ),
    endpoint(contract.explainDynamicList, async ({ caller, params, query }) => ({
      data: await explain(db, caller.tenantId, params.id, query.contactId, authoring.subjects),
    })),
    endpoint(contract.previewDynamicList, async (call) => {
      const filter = authoring.read(call.body.filter);
      return effectOnce(db, call, () => preview(db, call.caller.tenantId, filter));
    }),
    endpoint(contract.previewFilter, async ({ caller, query }) => ({
      data: await preview(db, caller.tenantId, authoring.readText(query.filter)),
    })),
    endpoint(contract.breakDownFilter, async ({ caller, query }) => ({
      data: await breakDownFilter(db, caller.tenantId, authoring.readText(query.filter)),
    })),
    endpoint(contract.explainFilter, async ({ caller, query }) => ({
      data: await explainUnsaved(db, caller.tenantId, authoring.readText(query.filter), query.contactId),
    })),
    endpoint(contract.listContactLists, async ({ caller, params, query }) => {
      const { id } = await getContact(db, caller.tenantId, params.id);
      return selectMemberships(db, caller.tenantId, id, pageOf(query));
    }),
  ];
}

async function getGrowing(db: Database, tenantId: number, id: string): Promise<GrowingList> {
  const list = isAssetId(id) ? await findGrowing(db, tenantId, id) : undefined;
  if (!list) throw notFound('dynamic list');
  return list;
}
