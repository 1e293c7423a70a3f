import type { JourneyRollup, journeyStatuses, journeyTypes } from '@rapport/contract';
import type { Static } from 'typebox';
import type { Database } from '../../db/database.js';
import type { Window } from '../../db/tallies.js';
import { ApiError } from '../../http/api-error.js';
import { isAssetId } from '../../lib/ids.js';
import { readPassage, selectJourneysForStats } from '../journeys/index.js';
import { readFigures } from '../messages/index.js';
import { noCounts, showFigures, sumCounts, sumCountsBy } from './figures-shown.js';
import { noPassage, type Passage, passageByJourney, sumPassages } from './passage.js';
import { readerOf } from './window.js';

type Shown = Static<typeof JourneyRollup>;

/** As the collection of journeys takes them. */
export interface RollupFilter {
  status: readonly (typeof journeyStatuses)[number][];
  type: readonly (typeof journeyTypes)[number][];
  tag: readonly string[];
  folderId: string | undefined;
  search: string | undefined;
}

export async function getJourneyRollup(
  db: Database,
  tenantId: number,
  { status, type, tag, folderId, search }: RollupFilter,
  window: Window,
  limit: number,
): Promise<Shown> {
  const matching =
    folderId === undefined || isAssetId(folderId)
      ? await selectJourneysForStats(db, tenantId, { status, type, tag, folderId, search }, limit + 1)
      : [];
  if (matching.length > limit) throw new ApiError('RESULT_SET_TOO_LARGE', { limit });
  const reader = readerOf(db, tenantId, window);
  const journeyIds = matching.map(({ journeyId }) => journeyId);
  const numbers = matching.map(({ journeyNo }) => journeyNo);
  const [figures, passage] =
    matching.length === 0
      ? [[], []]
      : await Promise.all([
          readFigures(reader, tenantId, { kind: 'journeys', journeyIds }, window),
          readPassage(reader, tenantId, numbers, window),
        ]);
  const counts = sumCountsBy(figures, (row) => row.journeyId);
  const passages = passageByJourney(passage);
  const passageOf = (journeyNo: number): Passage => passages.get(journeyNo) ?? noPassage();
  return {
    journeys: matching.map(({ journeyId, journeyNo, name, type, status }) => ({
      ...{ journeyId, name, type, status },
      ...showFigures(counts.get(journeyId) ?? noCounts()),
      ...passageOf(journeyNo),
    })),
    totals: {
      ...showFigures(sumCounts(counts.values())),
      ...sumPassages(numbers.map(passageOf)),
    },
  };
}
