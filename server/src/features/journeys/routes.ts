import * as contract from '@rapport/contract';
import type { Database, Runner, Transaction } from '../../db/database.js';
import { ApiError, notFound } from '../../http/api-error.js';
import { type Call, type Endpoint, endpoint, pageOf } from '../../http/endpoint.js';
import { isAssetId } from '../../lib/ids.js';
import { type AuditAction, actorOf, auditAtCommit } from '../audit/index.js';
import { answerOnce, effectOnce, runOnce } from '../idempotency/index.js';
import type { Authoring } from './authoring.js';
import { checkJourney } from './check-journey.js';
import { createJourney } from './create-journey.js';
import { deleteJourney } from './delete-journey.js';
import { explainJourney } from './explain/explain-journey.js';
import { activate } from './life/activate.js';
import { deactivate } from './life/deactivate.js';
import { pause, resume } from './life/pause.js';
import { findDetails, findJourney, type HeldJourney, type JourneyDetails, selectJourneys } from './queries.js';
import { reachJourney } from './reach/reach-journey.js';
import { simulateJourney } from './simulate/simulate-journey.js';
import { updateJourney } from './update-journey.js';
import { compareJourney } from './versions/compare-journey.js';
import { selectRuns, selectVersions } from './versions/queries.js';

/** The record, and the tag that tells one edit from the next. */
function tagged(data: JourneyDetails): { data: JourneyDetails; etag: string } {
  return { data, etag: String(data.revision) };
}

export function journeyEndpoints(db: Database, authoring: Authoring): Endpoint[] {
  return [...authoringEndpoints(db, authoring), ...lifeEndpoints(db, authoring), ...versionEndpoints(db, authoring)];
}

function authoringEndpoints(db: Database, authoring: Authoring): Endpoint[] {
  return [
    endpoint(contract.listJourneys, async ({ caller, query }) => {
      const { status, type, tag, folderId, emailId, search, sort } = query;
      if (folderId !== undefined && !isAssetId(folderId)) return { rows: [], total: 0 };
      return selectJourneys(db, caller.tenantId, { status, type, tag, folderId, emailId, search }, pageOf(query), sort);
    }),
    endpoint(contract.createJourney, (call) =>
      runOnce(db, call, async (tx) => tagged(await createJourney(tx, authoring.box, call.caller, call.body))),
    ),
    endpoint(contract.getJourney, async ({ caller, params }) => {
      const journey = isAssetId(params.id) ? await findDetails(db, caller.tenantId, params.id) : undefined;
      if (!journey) throw notFound('journey');
      return tagged(journey);
    }),
    endpoint(contract.updateJourney, async ({ caller, params, body, ifMatch }) => {
      await refuseBroadcast(db, caller.tenantId, params.id);
      return tagged(await updateJourney(authoring, caller, params.id, body, ifMatch));
    }),
    endpoint(contract.deleteJourney, async (call) => {
      const { caller, params } = call;
      await refuseBroadcast(db, caller.tenantId, params.id);
      await db.transaction(async (tx) => {
        const name = await deleteJourney(tx, caller, params.id);
        auditAtCommit(tx, actorOf(call), 'journey.deleted', params.id, { name });
      });
      return { data: { journeyId: params.id, success: true } };
    }),
  ];
}

type LifeCall = Pick<Call, 'caller' | 'address' | 'idempotency'> & { params: { id: string } };

function lifeEndpoints(db: Database, authoring: Authoring): Endpoint[] {
  const once = <T extends { name: string }>(
    call: LifeCall,
    action: AuditAction,
    effect: (tx: Transaction) => Promise<T>,
  ) =>
    authoring.alone(call.caller.tenantId, () =>
      answerOnce(db, call, async (tx) => {
        await refuseBroadcast(tx, call.caller.tenantId, call.params.id);
        const done = await effect(tx);
        auditAtCommit(tx, actorOf(call), action, call.params.id, { name: done.name });
        return done;
      }),
    );
  return [
    endpoint(contract.activateJourney, async (call) => {
      const { caller, params } = call;
      const journey = isAssetId(params.id) ? await findJourney(db, caller.tenantId, params.id) : undefined;
      const known = await authoring.templateFaults(caller.tenantId, journey?.definition);
      return once(call, 'journey.activated', (tx) => activate(tx, caller, params.id, authoring, known));
    }),
    endpoint(contract.deactivateJourney, (call) =>
      once(call, 'journey.deactivated', (tx) => deactivate(tx, call.caller, call.params.id, authoring)),
    ),
    endpoint(contract.pauseJourney, (call) =>
      once(call, 'journey.paused', (tx) => pause(tx, call.caller.tenantId, call.params.id, authoring)),
    ),
    endpoint(contract.resumeJourney, (call) =>
      once(call, 'journey.resumed', (tx) => resume(tx, call.caller.tenantId, call.params.id, authoring)),
    ),
  ];
}

function versionEndpoints(db: Database, authoring: Authoring): Endpoint[] {
  return [
    endpoint(contract.listJourneyVersions, async ({ caller, params, query }) => {
      const { journeyNo } = await getJourney(db, caller.tenantId, params.id);
      return selectVersions(db, caller.tenantId, journeyNo, pageOf(query));
    }),
    endpoint(contract.listJourneyRuns, async ({ caller, params, query }) => {
      const { journeyNo } = await getJourney(db, caller.tenantId, params.id);
      return selectRuns(db, caller.tenantId, journeyNo, pageOf(query));
    }),
    endpoint(contract.reachJourney, async ({ caller, params }) => ({
      data: await reachJourney(authoring, caller.tenantId, await getJourney(db, caller.tenantId, params.id)),
    })),
    endpoint(contract.checkJourney, (call) =>
      effectOnce(db, call, () => checkJourney(authoring, call.caller.tenantId, call.body)),
    ),
    endpoint(contract.compareJourney, (call) =>
      effectOnce(db, call, () =>
        compareJourney(db, call.caller.tenantId, call.params.id, call.body.definition, authoring),
      ),
    ),
    endpoint(contract.explainJourney, async ({ caller, params, query }) => ({
      data: await explainJourney(authoring, caller.tenantId, params.id, query.contactId),
    })),
    endpoint(contract.simulateJourney, (call) =>
      effectOnce(db, call, () => simulateJourney(authoring, call.caller.tenantId, call.params.id, call.body)),
    ),
  ];
}

/** It has its own ways: the definition follows from what it was asked to be. It never becomes an ordinary journey, so no lock is needed. */
async function refuseBroadcast(db: Runner, tenantId: number, id: string): Promise<void> {
  const journey = isAssetId(id) ? await findJourney(db, tenantId, id) : undefined;
  if (!journey?.broadcast) return;
  throw new ApiError('INVALID_STATE', { reason: `This is a broadcast. Use /v2/broadcasts/${id} instead.` });
}

async function getJourney(db: Database, tenantId: number, id: string): Promise<HeldJourney> {
  const journey = isAssetId(id) ? await findJourney(db, tenantId, id) : undefined;
  if (!journey) throw notFound('journey');
  return journey;
}
