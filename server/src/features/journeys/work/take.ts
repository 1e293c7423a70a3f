// What a turn takes: some of every kind, so that none waits for all of another.

import { waitsOf } from '../engine/step.js';
import { selectDueDates, selectRunSteps } from '../entries/queries.js';
import type { TurnContext } from '../turn/context.js';
import type { NewsFloor } from '../turn/news-floor.js';
import { type EnrolmentRow, selectDueEnrolments, selectNews, selectWriteHorizon } from '../turn/queries.js';
import type { Taken } from './turn.js';

const kinds = ['news', 'due', 'runs', 'dates'] as const;
type Kind = (typeof kinds)[number];

let turns = 0;

/**
 * At most so many of each kind. Narrowly, after a turn that failed: so many in all, beginning with another kind each time, so that what
 * fails is found whatever else there is to do.
 */
export async function take(
  context: TurnContext,
  atMost: number,
  narrowly: boolean,
  floor: NewsFloor,
): Promise<{ taken: Taken; first: string | undefined; units: Map<string, number> }> {
  const moving = [...context.journeys.values()].filter(
    ({ isActive, isPaused, moves }) => isActive && !isPaused && moves.length === 0,
  );
  const nos = moving.map(({ journeyNo }) => journeyNo);
  const taken: { -readonly [K in keyof Taken]: Taken[K] } = { news: [], runs: [], dates: [], due: [] };
  let left = narrowly ? atMost : Number.POSITIVE_INFINITY;
  let first: string | undefined;
  const order = narrowly ? rotated(turns++) : kinds;
  for (const kind of nos.length === 0 ? [] : order) {
    const most = Math.min(left, narrowly ? atMost : atMost / 2);
    if (most < 1) break;
    await takers[kind](context, nos, most, taken, floor);
    first ??= nameOf(kind, taken);
    left -= countOf(kind, taken);
  }
  const units = new Map(kinds.map((kind) => [`journey.${kind}`, countOf(kind, taken)]));
  return { taken, first, units };
}

function rotated(by: number): Kind[] {
  return kinds.map((_, i) => kinds[(i + by) % kinds.length] as Kind);
}

type Taker = (
  context: TurnContext,
  nos: readonly number[],
  atMost: number,
  taken: { -readonly [K in keyof Taken]: Taken[K] },
  floor: NewsFloor,
) => Promise<void>;

const takers: Record<Kind, Taker> = {
  news: async ({ tx, tenantId }, nos, atMost, taken, floor) => {
    taken.news = await selectNews(tx, tenantId, nos, atMost, floor);
  },
  due: async (context, nos, atMost, taken) => {
    // Before the look for those who are due: it sees the news of every write that did not wait any more by then.
    const horizon = await selectWriteHorizon(context.tx, context.tenantId);
    const due = await selectDueEnrolments(context.tx, context.tenantId, nos, atMost, context.at);
    taken.due = await withoutEarly(context, due, horizon);
  },
  runs: async ({ tx, tenantId }, nos, atMost, taken) => {
    taken.runs = await selectRunSteps(tx, tenantId, nos, atMost);
  },
  dates: async ({ tx, tenantId, at, journeys }, nos, atMost, taken) => {
    // Until everybody was looked at, some dates are of another definition.
    const built = nos.filter((journeyNo) => journeys.get(journeyNo)?.datesBuilt);
    taken.dates = await selectDueDates(tx, tenantId, built, atMost, at);
  },
};

/**
 * Who waits for an event is not timed out while writes wait that were acknowledged before the timeout: the event may be among them.
 */
async function withoutEarly(
  context: TurnContext,
  due: readonly EnrolmentRow[],
  horizon: number,
): Promise<EnrolmentRow[]> {
  const waits: boolean[] = [];
  for (const row of due) {
    const definition = row.phase === 'waiting' ? await context.definitionOf(row.journeyNo, row.version) : undefined;
    waits.push(definition !== undefined && waitsOf(definition, { ...row, words: {}, arms: {} }).length > 0);
  }
  return due.filter(
    ({ waitUntil }, i) => !waits[i] || waitUntil === null || waitUntil > context.now || waitUntil < horizon,
  );
}

function countOf(kind: Kind, { news, due, runs, dates }: Taken): number {
  switch (kind) {
    case 'news':
      return news.length;
    case 'due':
      return due.length;
    case 'runs':
      return runs.reduce((sum, { contactIds }) => sum + contactIds.length, 0);
    case 'dates':
      return dates.length;
  }
}

/** The name of its first unit. */
function nameOf(kind: Kind, { news, due, runs, dates }: Taken): string | undefined {
  switch (kind) {
    case 'news':
      return news[0] && `news:${news[0].journeyNo}:${news[0].newsNo}`;
    case 'due':
      return due[0] && `enrolment:${due[0].enrolmentId}`;
    case 'runs':
      return runs[0]?.contactIds[0] && `member:${runs[0].runId}:${runs[0].chunkNo}:${runs[0].contactIds[0]}`;
    case 'dates':
      return dates[0] && `date:${dates[0].journeyNo}:${dates[0].contactId}`;
  }
}
