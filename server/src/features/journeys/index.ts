// Journeys: authoring, life, and what keeps others from deleting what they use.
import type { BodyValue, updateJourney as changing, createJourney as creating } from '@rapport/contract';
import { Gauge, type Registry } from 'prom-client';
import { inSteps } from '../../work/chores.js';
import type { Eraser } from '../contacts/index.js';
import { forgetKeys } from '../idempotency/index.js';
import { Authoring, type AuthoringNeeds } from './authoring.js';
import { endBroadcasts } from './broadcasts/life.js';
import { broadcastEndpoints } from './broadcasts/routes.js';
import { createJourney } from './create-journey.js';
import { explainJourney } from './explain/explain-journey.js';
import { sealOldHeaders } from './headers/headers.js';
import { countActive, retireVersions } from './life/queries.js';
import { type LiveNeeds, liveJourneys } from './live.js';
import type { By } from './queries.js';
import { reachOfDraft } from './reach/reach-journey.js';
import { journeyEndpoints } from './routes.js';
import { type SimulatedBody, type SimulatedType, simulateDefinition } from './simulate/simulate-journey.js';
import { tryAgain, tryUpdate } from './update-journey.js';
import { audienceKeeper, dynamicListUse, emailUse, formUse, listOwner, staticListUse, topicUse } from './uses/uses.js';

export { findCause } from './explain/queries.js';
export type { Explanation } from './explain/reason.js';
export { findJourneyForStats, type JourneyForStats } from './passage/journeys/find-journey.js';
export {
  allJourneysForStats,
  type LiveEntries,
  type NamedJourney,
  selectBroadcastsForStats,
  selectJourneysForStats,
  selectLiveEntries,
  type WonSplit,
} from './passage/journeys/queries.js';
export { type PassageRow, passageTallies, readPassage, sumPassage, sumPassageEver } from './passage/queries.js';
export { type PassageDifference, recountJourneys } from './passage/recount/queries.js';
export type { PassageDetail } from './passage/rest/queries.js';
export { countFaultsLately, type JourneyFilter, selectJourneyNames } from './queries.js';
export { selectLiveDefinitions, selectSenders } from './uses/queries.js';

type JourneyNeeds = AuthoringNeeds & LiveNeeds;
type CreatedBody = BodyValue<typeof creating>;
type ChangedBody = BodyValue<typeof changing>;

export function journeys(needs: JourneyNeeds) {
  const { db, registry } = needs;
  const live = liveJourneys(needs);
  const authoring = new Authoring(needs);
  const retire = (atMost: number) => retireVersions(db.background, atMost);
  journeyMetrics(registry, () => countActive(db.background));
  return {
    ...live,
    endpoints: [...journeyEndpoints(db, authoring), ...broadcastEndpoints(db, authoring), ...live.endpoints],
    erasers: [...live.erasers, forgetSimulations],
    /** Why a contact is in a journey, or is not. */
    explain: (tenantId: number, journeyId: string, contactId: string) =>
      explainJourney(authoring, tenantId, journeyId, contactId),
    /** What a definition would do that no journey has yet. */
    simulate: (tenantId: number, type: SimulatedType, body: SimulatedBody) =>
      simulateDefinition(authoring, tenantId, type, body),
    /** Whom a journey would reach with a draft that is kept beside it. */
    reach: (tenantId: number, journeyId: string, draft: Record<string, unknown>) =>
      reachOfDraft(authoring, tenantId, journeyId, draft),
    /** Throws what saving a journey that is not active would refuse, and saves nothing. Without an id, it is a new one. */
    tryJourney: (by: By, body: CreatedBody | ChangedBody, id: string | undefined): Promise<unknown> =>
      id === undefined
        ? db.rehearse(by.tenantId, (tx) => createJourney(tx, needs.box, by, body as CreatedBody), tryAgain)
        : tryUpdate(authoring, by, id, body),
    emailUses: [emailUse],
    listUses: [staticListUse],
    topicUses: [topicUse],
    formUses: [formUse],
    dynamicListUses: [dynamicListUse],
    dynamicListKeepers: [audienceKeeper],
    listOwners: [listOwner],
    chores: [
      ...live.chores,
      {
        ...{ name: 'headers of webhook steps', everyMs: 3_600_000, atStart: true },
        run: (signal: AbortSignal) => inSteps((atMost) => sealOldHeaders(db, needs.box, atMost), signal),
      },
      { name: 'ends of broadcasts', everyMs: 2000, run: (signal: AbortSignal) => endBroadcasts(db.background, signal) },
      { name: 'versions of journeys', everyMs: 60_000, run: (signal: AbortSignal) => inSteps(retire, signal) },
    ],
  };
}

/** Answers that can be replayed show contacts. */
const forgetSimulations: Eraser = (tx, tenantId) => forgetKeys(tx, tenantId, ['simulateJourney']);

function journeyMetrics(registry: Registry, count: () => ReturnType<typeof countActive>): void {
  new Gauge({
    name: 'rapport_journeys',
    help: 'Active journeys of all tenants by what they do: running, or paused by somebody.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      // A database that is away must not keep the other figures from being read.
      const counted = await count().catch(() => undefined);
      if (!counted) return;
      this.set({ state: 'running' }, counted.active);
      this.set({ state: 'paused' }, counted.paused);
    },
  });
}
