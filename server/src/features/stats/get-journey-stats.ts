import type { JourneyStats } from '@rapport/contract';
import type { Static } from 'typebox';
import type { Database } from '../../db/database.js';
import type { Window } from '../../db/tallies.js';
import { notFound } from '../../http/api-error.js';
import { selectEmailNames } from '../emails/index.js';
import { findJourneyForStats } from '../journeys/index.js';
import { type FigureRow, readFigures } from '../messages/index.js';
import { noCounts, showFigures, sumCounts, sumCountsBy } from './figures-shown.js';
import { PassageBook, readPassages, wholeOf } from './passage.js';
import { countersOf, type JourneyPlan, planOf, showHoldout, showSplits, showSteps } from './show-journey.js';
import { ever, readAll } from './window.js';

type JourneyStatsData = Static<typeof JourneyStats>;

export async function getJourneyStats(
  db: Database,
  tenantId: number,
  journeyId: string,
  window: Window,
): Promise<JourneyStatsData> {
  // Reads all its versions, which may be megabytes after years of edits.
  const journey = await findJourneyForStats(db.bulky(tenantId), tenantId, journeyId);
  if (!journey) throw notFound('journey');
  const plan = planOf(journey);
  const subjects = countersOf(plan);
  const asked = [window, ever].map((each) => ({ window: each, subjects }));
  const { rows, arms, passages } = await readAll(db, tenantId, asked, async (reader, everReader) => ({
    rows: await readFigures(reader, tenantId, { kind: 'journeys', journeyIds: [journeyId] }, window),
    arms: plan.splits.length === 0 ? [] : await readFigures(reader, tenantId, { kind: 'arms', journeyId }, window),
    passages: await readPassages({ window: reader, ever: everReader }, tenantId, [journey.journeyNo], window, 'steps'),
  }));
  const books = { inWindow: new PassageBook(passages.inWindow), ever: new PassageBook(passages.ever) };
  return {
    ...{ journeyId, name: journey.name, ...showFigures(sumCounts(rows)) },
    ...wholeOf(books),
    reachedGoal: books.inWindow.count(null, 'goal'),
    emails: await showEmails(db, tenantId, plan, rows),
    steps: showSteps(plan, books, rows),
    splits: showSplits(plan, books, arms),
    holdout: showHoldout(plan, books),
  };
}

/** First the emails that steps send, in the order of the steps; then those known only from messages. */
async function showEmails(
  db: Database,
  tenantId: number,
  { steps }: JourneyPlan,
  rows: readonly FigureRow[],
): Promise<JourneyStatsData['emails']> {
  const counts = sumCountsBy(rows, ({ emailId }) => emailId ?? '');
  const ids = [...new Set([...steps.flatMap(({ emailIds }) => emailIds), ...counts.keys()])];
  const names = await selectEmailNames(db, tenantId, ids);
  return ids.flatMap((emailId) => {
    const name = names.get(emailId);
    return name === undefined ? [] : [{ emailId, name, ...showFigures(counts.get(emailId) ?? noCounts()) }];
  });
}
