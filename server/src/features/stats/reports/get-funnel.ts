import type { JourneyFunnel } from '@rapport/contract';
import type { Static } from 'typebox';
import type { Database } from '../../../db/database.js';
import type { Window } from '../../../db/tallies.js';
import { notFound } from '../../../http/api-error.js';
import { findJourneyForStats, type PassageRow } from '../../journeys/index.js';
import { PassageBook, readPassages, wholeOf } from '../passage.js';
import { countersOf, planOf, showSteps } from '../show-journey.js';
import { ever, readAll } from '../window.js';
import { stayOf } from './stay.js';

type FunnelData = Static<typeof JourneyFunnel>;

export async function getFunnel(
  db: Database,
  tenantId: number,
  journeyId: string,
  window: Window,
): Promise<FunnelData> {
  // Reads all its versions, which may be megabytes after years of edits.
  const journey = await findJourneyForStats(db.bulky(tenantId), tenantId, journeyId);
  if (!journey) throw notFound('journey');
  const plan = planOf(journey);
  const subjects = countersOf(plan);
  const asked = [window, ever].map((each) => ({ window: each, subjects }));
  const passages = await readAll(db, tenantId, asked, (reader, everReader) =>
    readPassages({ window: reader, ever: everReader }, tenantId, [journey.journeyNo], window, 'times'),
  );
  const books = { inWindow: new PassageBook(passages.inWindow), ever: new PassageBook(passages.ever) };
  const whole = wholeOf(books);
  const visits = visitsByStep(passages.inWindow);
  return {
    journeyId,
    ...whole,
    reachedGoal: books.inWindow.count(null, 'goal'),
    steps: showSteps(plan, books, []).map(({ stepId, name, type, entered, left, inProgress }) => ({
      ...{ stepId, ...(name === undefined ? {} : { name }), type, entered, left, inProgress },
      share: whole.entered === 0 ? 0 : entered / whole.entered,
      seconds: stayOf(visits.get(stepId) ?? new Map()),
    })),
  };
}

/** How many visits of a step lasted how long, by the buckets of `took:<n>`. */
function visitsByStep(rows: Iterable<PassageRow>): Map<string, Map<number, number>> {
  const visits = new Map<string, Map<number, number>>();
  for (const { stepId, what, n } of rows) {
    if (stepId === null || !what.startsWith('took:')) continue;
    const buckets = visits.get(stepId) ?? new Map<number, number>();
    visits.set(stepId, buckets.set(Number(what.slice(5)), n));
  }
  return visits;
}
