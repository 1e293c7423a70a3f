import type { Background, Transaction } from '../../../db/database.js';
import { locks } from '../../../db/locks.js';
import type { Queue } from '../../../work/queue.js';
import { type Batch, type Runs, takeTurn, Widths } from '../../../work/take-turn.js';
import * as builds from './builds/queries.js';
import type { Filters } from './filters.js';
import type { Interest } from './interest.js';
import { OlderWriters } from './older-writers.js';
import * as queries from './queries.js';
import { limitStatements } from './statement/queries.js';
import { type BuildStep, Turn } from './turn.js';

// Contacts in a turn: others wait for it.
const mostContacts = 2000;

/** Changed contacts, due moments, and organizations and lists whose members have to be checked. */
export function audienceQueue(db: Background, filters: Filters): Queue {
  const runs = audienceRuns(filters);
  const widths = new Widths(runs.most);
  return {
    name: 'audiences',
    hands: 3,
    pollMs: 500,
    due: () => queries.selectDue(db),
    serve: (tenantId, watch) => takeTurn(db, runs, widths, tenantId, watch),
    waiting: queries.selectWaiting,
  };
}

function audienceRuns(filters: Filters): Runs {
  const needs: Needs = { writers: new OlderWriters(), served: new Served() };
  const turnOf = async (tx: Transaction, tenantId: number, atMost: number, now: string, carefully: boolean) => {
    await limitStatements(tx);
    const interest = await filters.read(tx, tenantId);
    if (interest.hasUnreadable) return undefined;
    return batchOf(new Turn(tx, tenantId, now, interest, carefully), atMost, needs);
  };
  // A list whose evaluation fails is set aside by itself, and what waited is done: nothing is ever given up.
  const carefully = async (tx: Transaction, tenantId: number, now: string) => {
    const batch = await turnOf(tx, tenantId, 1, now, true);
    await batch?.apply();
  };
  return {
    lock: locks.audienceTurn,
    most: mostContacts,
    take: (tx, tenantId, atMost, now) => turnOf(tx, tenantId, atMost, now, atMost < mostContacts),
    refuse: async (tx, tenantId, _first, _why, now) => {
      await carefully(tx, tenantId, now);
      return true;
    },
    postpone: (tx, tenantId, _first, _failure, now) => carefully(tx, tenantId, now),
  };
}

interface Needs {
  readonly writers: OlderWriters;
  readonly served: Served;
}

async function batchOf(turn: Turn, atMost: number, { writers, served }: Needs): Promise<Batch | undefined> {
  const { tx, tenantId, now, interest } = turn;
  const changes = await queries.takeChanges(tx, tenantId, atMost);
  const moments = await queries.takeMoments(tx, tenantId, atMost, now);
  const org = await queries.selectOrgStep(tx, tenantId, atMost);
  const unbuilt = await builds.selectUnbuilt(tx, tenantId, now);
  const ready = readyOf(interest, unbuilt);
  const mayBegin = ready.length > 0 && (await writers.areGone(tx, tenantId, interest));
  const build = mayBegin ? nextBuild(interest, served.inTurn(tenantId, ready), turn.isCareful) : undefined;
  const units = new Map([
    ['audience.change', changes.length + (org ? 1 : 0)],
    ['audience.moment', moments.length],
    ['audience.build', build ? build.listNos.length : 0],
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
      if (build) await turn.build(build);
      await turn.end();
    },
  };
}

/** When lists last had a step, in turns: a list with many steps must not delay those that need one. */
class Served {
  private readonly turns = new Map<string, number>();
  private turn = 0;

  /** The one that waited longest comes first. */
  inTurn(tenantId: number, ready: readonly builds.Unbuilt[]): builds.Unbuilt[] {
    const key = ({ listNo }: builds.Unbuilt) => `${tenantId}:${listNo}`;
    const [first, ...others] = [...ready].sort(
      (one, other) => (this.turns.get(key(one)) ?? 0) - (this.turns.get(key(other)) ?? 0),
    );
    if (!first) return [];
    // Bounded: forgetting only costs an order.
    if (this.turns.size > 10_000) this.turns.clear();
    this.turns.set(key(first), ++this.turn);
    return [first, ...others];
  }
}

/** Lists that could take a step: those that read no list which is not built itself. */
function readyOf(interest: Interest, unbuilt: readonly builds.Unbuilt[]): builds.Unbuilt[] {
  const isUnbuilt = new Set(unbuilt.map(({ listNo }) => listNo));
  return unbuilt.filter(
    ({ listNo, isDue }) =>
      isDue && interest.lists.has(listNo) && !interest.partsOf(listNo).some((part) => isUnbuilt.has(part)),
  );
}

// In a step of a build: only changes wait for it.
const mostBuilt = 5 * mostContacts;
// Those who count members look at whole organizations in every step: few steps cost less, however much each does.
const mostCounted = 50 * mostContacts;
const mostTogether = 40;

/** The step of the first one, and of others at the same place. */
function nextBuild(interest: Interest, ready: readonly builds.Unbuilt[], carefully: boolean): BuildStep | undefined {
  const counting = new Set(interest.counting);
  const [first] = ready;
  if (!first) return undefined;
  const isCounting = counting.has(first.listNo);
  const together = ready.filter(
    ({ listNo, builtTo, step }) =>
      builtTo === first.builtTo && step === first.step && counting.has(listNo) === isCounting,
  );
  const most = isCounting ? mostCounted : mostBuilt;
  return {
    listNos: together.slice(0, mostTogether).map(({ listNo }) => listNo),
    after: first.builtTo,
    size: Math.min(first.step ?? most, carefully ? mostContacts : most),
    most,
  };
}
