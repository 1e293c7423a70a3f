import * as contract from '@rapport/contract';
import type { Database } from '../../../db/database.js';
import { inPages } from '../../../db/in-pages.js';
import { notFound } from '../../../http/api-error.js';
import { type Endpoint, endpoint, pageOf } from '../../../http/endpoint.js';
import { isAssetId } from '../../../lib/ids.js';
import { type Eraser, exporter } from '../../contacts/index.js';
import { selectListNames } from '../queries.js';
import {
  findGrowth,
  forgetDepartures,
  type GrowingList,
  growingStatic,
  selectDeparturesAfter,
  selectMovements,
} from './queries.js';

export function growthEndpoints(db: Database): Endpoint[] {
  const getGrowing = async (tenantId: number, id: string): Promise<GrowingList> => {
    const isLive = isAssetId(id) && (await selectListNames(db, tenantId, [id])).has(id);
    if (!isLive) throw notFound('list');
    return growingStatic(tenantId, id);
  };
  return [
    endpoint(contract.getListGrowth, async ({ caller: { tenantId }, params }) => ({
      data: await findGrowth(db.slow(tenantId), tenantId, await getGrowing(tenantId, params.id)),
    })),
    endpoint(contract.listListMovements, async ({ caller: { tenantId }, params, query }) =>
      selectMovements(db, tenantId, await getGrowing(tenantId, params.id), query.what, pageOf(query)),
    ),
  ];
}

/** Erases which lists of either kind a person left. */
export const eraseDepartures: Eraser = (tx, tenantId, { id }) => forgetDepartures(tx, tenantId, id);

/** The same for the right of access. */
export const departureSection = exporter('leftLists', (db, tenantId, { id }) =>
  inPages(500, (after, size) => selectDeparturesAfter(db, tenantId, id, after?.listId, size)),
);
