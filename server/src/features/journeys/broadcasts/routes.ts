import * as contract from '@rapport/contract';
import type { Database, Transaction } from '../../../db/database.js';
import { type Call, type Endpoint, endpoint, pageOf } from '../../../http/endpoint.js';
import { SharedReads } from '../../../lib/shared-reads.js';
import { type AuditAction, actorOf, auditAtCommit } from '../../audit/index.js';
import { answerOnce } from '../../idempotency/index.js';
import type { FateCount } from '../../messages/index.js';
import type { Authoring } from '../authoring.js';
import { type By, findJourney } from '../queries.js';
import { reachJourney } from '../reach/reach-journey.js';
import { cancelBroadcast, deleteBroadcast, pauseBroadcast, resumeBroadcast, send } from './life.js';
import { selectBroadcasts } from './queries.js';
import { definitionForReach, longAgo } from './settings.js';
import { type Broadcast, getBroadcast, showBroadcast, showRows } from './show.js';
import { createBroadcast, SentMeanwhile, updateBroadcast } from './write-broadcast.js';

const tagged = (data: Broadcast) => ({ data, etag: String(data.revision) });

export function broadcastEndpoints(db: Database, authoring: Authoring): Endpoint[] {
  const counts = new SharedReads<FateCount[]>();
  return [
    endpoint(contract.listBroadcasts, async ({ caller, query }) => {
      const { status, emailId, search } = query;
      const { rows, total } = await selectBroadcasts(db, caller.tenantId, { status, emailId, search }, pageOf(query));
      return { rows: await showRows(db, caller.tenantId, rows), total };
    }),
    endpoint(contract.createBroadcast, async (call) => {
      const { tenantId } = call.caller;
      const { data, ...rest } = await answerOnce(db, call, (tx) =>
        createBroadcast(tx, authoring, call.caller, call.body),
      );
      return { ...rest, ...tagged(await showBroadcast(db, tenantId, data)) };
    }),
    endpoint(contract.getBroadcast, async ({ caller: { tenantId }, params }) =>
      tagged(await showBroadcast(db, tenantId, await getBroadcast(db.slow(tenantId), tenantId, params.id), counts)),
    ),
    endpoint(contract.updateBroadcast, async ({ caller, params, body, ifMatch }) => {
      const { tenantId } = caller;
      for (;;) {
        const { status } = await getBroadcast(db, tenantId, params.id);
        const isLive = status !== 'draft';
        const change = () =>
          db.transaction((tx) => updateBroadcast(tx, authoring, caller, params.id, body, ifMatch, isLive));
        try {
          const changed = await (isLive ? authoring.alone(tenantId, change) : change());
          return tagged(await showBroadcast(db, tenantId, changed));
        } catch (error) {
          if (!(error instanceof SentMeanwhile)) throw error;
        }
      }
    }),
    endpoint(contract.deleteBroadcast, async (call) => {
      const { caller, params } = call;
      await db.transaction(async (tx) => {
        const name = await deleteBroadcast(tx, caller, params.id, authoring);
        auditAtCommit(tx, actorOf(call), 'broadcast.deleted', params.id, { name });
      });
      return { data: { broadcastId: params.id, success: true } };
    }),
    endpoint(contract.reachBroadcast, async ({ caller, params }) => {
      const { tenantId } = caller;
      const { settings } = await getBroadcast(db, tenantId, params.id);
      const journey = await findJourney(db, tenantId, params.id);
      const definition = definitionForReach(settings, longAgo);
      return {
        data: await reachJourney(authoring, tenantId, { ...(journey as NonNullable<typeof journey>), definition }),
      };
    }),
    ...lifeEndpoints(db, authoring),
  ];
}

type LifeCall = Pick<Call, 'caller' | 'address' | 'idempotency'> & { params: { id: string } };
type Move = (tx: Transaction, by: By, id: string, authoring: Authoring) => Promise<boolean>;

function lifeEndpoints(db: Database, authoring: Authoring): Endpoint[] {
  const once = async (call: LifeCall, action: AuditAction, move: Move) => {
    const { caller, params } = call;
    const { tenantId } = caller;
    const { data, ...rest } = await authoring.alone(tenantId, () =>
      answerOnce(db, call, async (tx) => {
        const hasChanged = await move(tx, caller, params.id, authoring);
        const moved = await getBroadcast(tx, tenantId, params.id);
        if (hasChanged) auditAtCommit(tx, actorOf(call), action, params.id, { name: moved.name });
        return moved;
      }),
    );
    return { ...rest, data: await showBroadcast(db, tenantId, data) };
  };
  return [
    endpoint(contract.sendBroadcast, (call) => once(call, 'broadcast.sent', send)),
    endpoint(contract.pauseBroadcast, (call) => once(call, 'broadcast.paused', pauseBroadcast)),
    endpoint(contract.resumeBroadcast, (call) => once(call, 'broadcast.resumed', resumeBroadcast)),
    endpoint(contract.cancelBroadcast, (call) => once(call, 'broadcast.cancelled', cancelBroadcast)),
  ];
}
