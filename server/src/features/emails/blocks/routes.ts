import * as contract from '@rapport/contract';
import { notFound } from '../../../http/api-error.js';
import { type Endpoint, endpoint, pageOf } from '../../../http/endpoint.js';
import { isAssetId } from '../../../lib/ids.js';
import { actorOf } from '../../audit/index.js';
import { answerOnce } from '../../idempotency/index.js';
import { type Authoring, untilCurrent } from '../update-email.js';
import { checkNewBlocks, createBlock, deleteBlock, updateBlock } from './change-blocks.js';
import { findBlock, selectBlocks } from './queries.js';

export function blockEndpoints(authoring: Authoring): Endpoint[] {
  const { db } = authoring;
  return [
    endpoint(contract.listBlocks, ({ caller, query }) => selectBlocks(db, caller.tenantId, pageOf(query))),
    endpoint(contract.createBlock, (call) =>
      untilCurrent(async () => {
        const checked = await checkNewBlocks(authoring, call.caller.tenantId, call.body);
        return answerOnce(db, call, (tx) => createBlock(tx, actorOf(call), call.body.name, checked));
      }),
    ),
    endpoint(contract.getBlock, async ({ caller, params: { blockId } }) => {
      const data = isAssetId(blockId) ? await findBlock(db, caller.tenantId, blockId) : undefined;
      if (!data) throw notFound('saved block');
      return { data };
    }),
    endpoint(contract.updateBlock, async (call) => ({
      data: await updateBlock(authoring, actorOf(call), call.params.blockId, call.body),
    })),
    endpoint(contract.deleteBlock, async (call) => {
      const { blockId } = call.params;
      await db.transaction((tx) => deleteBlock(tx, actorOf(call), blockId));
      return { data: { blockId, success: true } };
    }),
  ];
}
