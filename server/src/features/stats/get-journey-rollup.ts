import type { JourneyRollup } from '@rapport/contract';
import type { Static } from 'typebox';
import type { Database, Runner } from '../../db/database.js';
import type { Window } from '../../db/tallies.js';
import { ApiError } from '../../http/api-error.js';
import { isAssetId } from '../../lib/ids.js';
import { type JourneyFilter, selectJourneysForStats } from '../journeys/index.js';
import { sumByJourney } from '../messages/index.js';
import { noCounts, showFigures, sumCounts } from './figures-shown.js';
import { noPassage, readWholes, sumPassages } from './passage.js';
import { readerOf } from './window.js';

type Shown = Static<typeof JourneyRollup>;

// Those of its steps, which are found one by one.
const countersOfJourney = 10;

export async function getJourneyRollup(
  db: Database,
  tenantId: number,
  { status, type, tag, folderId, search }: JourneyFilter,
  window: Window,
  /** More journeys are refused: no answer is of a part of what was asked for. */
  limit: number,
): Promise<Shown> {
  const isNowhere = folderId !== undefined && !isAssetId(folderId);
  const finder = search === undefined ? db : db.slow(tenantId);
  const filter = { status, type, tag, folderId, search };
  const matching = isNowhere ? [] : await selectJourneysForStats(finder, tenantId, filter, limit);
  if (matching.length > limit) throw new ApiError('RESULT_SET_TOO_LARGE', { limit });
  const reader = readerOf(db, tenantId, window, { subjects: countersOfJourney * matching.length });
  const journeyIds = matching.map(({ journeyId }) => journeyId);
  const numbers = matching.map(({ journeyNo }) => journeyNo);
  const read = async (reader: Runner) => ({
    rows: journeyIds.length === 0 ? [] : await sumByJourney(reader, tenantId, journeyIds, window),
    passed: await readWholes({ window: reader, ever: db }, tenantId, numbers, window),
  });
  const { rows, passed } = await (reader === db ? read(db) : db.slowly(tenantId, read));
  const counts = new Map(rows.map((row) => [row.journeyId, row]));
  return {
    journeys: matching.map(({ journeyId, journeyNo, name, type, status }) => {
      const { entered, completed, exited, inProgress } = passed.get(journeyNo) ?? noPassage();
      const figures = showFigures(counts.get(journeyId) ?? noCounts());
      return { ...figures, journeyId, name, type, status, entered, completed, exited, inProgress };
    }),
    totals: { ...showFigures(sumCounts(rows)), ...sumPassages(passed.values()) },
  };
}
