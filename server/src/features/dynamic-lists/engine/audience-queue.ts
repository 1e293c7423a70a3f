import type { Background, Transaction } from '../../../db/database.js';
import { locks } from '../../../db/locks.js';
import type { Queue } from '../../../work/queue.js';
import { type Batch, type Runs, takeTurn, Widths } from '../../../work/take-turn.js';
import type { Filters } from './filters.js';
import type { Interest } from './interest.js';
import * as queries from './queries.js';
import { Turn } from './turn.js';

// Contacts in a turn: others wait for it, and whoever edits a filter of the tenant.
const mostContacts = 2000;

/** Contacts that changed, moments that have come, organizations and lists whose members have to be looked at. */
export function audienceQueue(db: Background, filters: Filters): Queue {
  const runs = audienceRuns(filters);
  const widths = new Widths(runs.most);
  return {
    name: 'audiences',
    hands: 2,
    pollMs: 500,
    due: () => queries.selectDue(db),
    serve: (tenantId, watch) => takeTurn(db, runs, widths, tenantId, watch),
    waiting: queries.selectWaiting,
  };
}

function audienceRuns(filters: Filters): Runs {
  const giveUp = async (tx: Transaction, tenantId: number, why: string) => {
    const interest = await filters.hold(tx, tenantId);
    await queries.takeChanges(tx, tenantId, 1);
    await queries.failLists(tx, tenantId, [...interest.lists.keys()], why);
  };
  return {
    lock: locks.audienceWork,
    most: mostContacts,
    take: async (tx, tenantId, atMost, now) => {
      const interest = await filters.hold(tx, tenantId);
      if (interest.hasUnreadable) return undefined;
      return batchOf(new Turn(tx, tenantId, now, interest, atMost < mostContacts), atMost);
    },
    // A list whose evaluation fails is set aside by itself, see Turn. What fails all the same leads to builds, which look at everything.
    refuse: async (tx, tenantId, _first, why) => {
      await giveUp(tx, tenantId, `Its evaluation ${why}`);
      return true;
    },
    postpone: (tx, tenantId, _first, { error }) => giveUp(tx, tenantId, error),
  };
}

async function batchOf(turn: Turn, atMost: number): Promise<Batch | undefined> {
  const { tx, tenantId, now } = turn;
  const changes = await queries.takeChanges(tx, tenantId, atMost);
  const moments = await queries.takeMoments(tx, tenantId, atMost, now);
  const org = await queries.selectOrgStep(tx, tenantId, atMost);
  const unbuilt = await queries.selectUnbuilt(tx, tenantId, now);
  const build = nextBuild(turn.interest, unbuilt);
  const units = new Map([
    ['audience.change', changes.length + (org ? 1 : 0)],
    ['audience.moment', moments.length],
    ['audience.build', build ? 1 : 0],
  ]);
  if (changes.length + moments.length === 0 && !org && !build) return undefined;
  return {
    first: 'audience',
    kind: 'audience.change',
    attempts: 0,
    units,
    apply: async () => {
      turn.begin(unbuilt);
      await turn.look([...changes, ...moments]);
      if (org) await turn.lookAtOrg(org, atMost);
      if (build) await turn.build(build, atMost);
      await turn.end();
    },
  };
}

/** The build that was begun first of those that read no list which is not built itself. */
function nextBuild(interest: Interest, unbuilt: readonly queries.Unbuilt[]): queries.Unbuilt | undefined {
  const isUnbuilt = new Set(unbuilt.map(({ listNo }) => listNo));
  return unbuilt.find(
    ({ listNo, isDue }) =>
      isDue && interest.lists.has(listNo) && !interest.partsOf(listNo).some((part) => isUnbuilt.has(part)),
  );
}
