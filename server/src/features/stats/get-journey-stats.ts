import type { JourneyStats } from '@rapport/contract';
import type { Static } from 'typebox';
import type { Database } from '../../db/database.js';
import type { Window } from '../../db/tallies.js';
import { notFound } from '../../http/api-error.js';
import { isAssetId } from '../../lib/ids.js';
import { selectEmailNames } from '../emails/index.js';
import { findJourneyForStats, type JourneyForStats, readPassage } from '../journeys/index.js';
import { type Counts, readFigures } from '../messages/index.js';
import { compareRates } from './compare-rates.js';
import { noCounts, share, showCounts, showFigures, sumCounts, sumCountsBy } from './figures-shown.js';
import { PassageBook } from './passage.js';
import { readerOf } from './window.js';

type Shown = Static<typeof JourneyStats>;

export async function getJourneyStats(
  db: Database,
  tenantId: number,
  journeyId: string,
  window: Window,
): Promise<Shown> {
  const journey = isAssetId(journeyId) ? await findJourneyForStats(db, tenantId, journeyId) : undefined;
  if (!journey) throw notFound('journey');
  const reader = readerOf(db, tenantId, window);
  const [rows, arms, passage] = await Promise.all([
    readFigures(reader, tenantId, { kind: 'journeys', journeyIds: [journeyId] }, window),
    journey.splits.length === 0 ? [] : readFigures(reader, tenantId, { kind: 'arms', journeyId }, window),
    readPassage(reader, tenantId, [journey.journeyNo], window),
  ]);
  const book = new PassageBook(passage);
  const byEmail = sumCountsBy(rows, ({ emailId }) => emailId ?? '');
  return {
    ...{ journeyId, name: journey.name, ...showFigures(sumCounts(rows)) },
    ...{ entered: book.count(null, 'entered'), completed: book.count(null, 'completed') },
    ...{ exited: book.count(null, 'exited'), inProgress: book.count(null, 'inProgress') },
    reachedGoal: book.count(null, 'goal'),
    emails: await showEmails(db, tenantId, journey, byEmail),
    steps: showSteps(
      journey,
      book,
      sumCountsBy(rows, ({ stepId }) => stepId ?? ''),
    ),
    splits: showSplits(
      journey,
      book,
      sumCountsBy(arms, ({ stepId, arm }) => `${stepId} ${arm}`),
    ),
    holdout: showHoldout(journey, book),
  };
}
