import type { JourneyRollup } from '@rapport/contract';
import type { Static } from 'typebox';
import type { Database } from '../../db/database.js';
import type { Window } from '../../db/tallies.js';
import { ApiError } from '../../http/api-error.js';
import { isAssetId } from '../../lib/ids.js';
import { type JourneyFilter, type NamedJourney, selectJourneysForStats } from '../journeys/index.js';
import { type Counts, sumByJourney } from '../messages/index.js';
import { noCounts, ratesOf, share, showFigures, sumCounts } from './figures-shown.js';
import { noPassage, readWholes, sumPassages, type Whole } from './passage.js';
import { selectJourneysEver } from './queries.js';
import { compareGroups } from './show-journey.js';
import { readAll } from './window.js';

type RollupData = Static<typeof JourneyRollup>;
type Row = RollupData['journeys'][number];

// The figures of its steps are looked up one by one.
const countersOfJourney = 10;

export async function getJourneyRollup(
  db: Database,
  tenantId: number,
  filter: JourneyFilter,
  window: Window,
  /** More journeys are refused: a response never covers only part of the request. */
  limit: number,
): Promise<RollupData> {
  const isEver = window.from === null && window.to === null;
  return isEver && isAny(filter) ? readEver(db, tenantId, limit) : readSome(db, tenantId, filter, window, limit);
}

function isAny({ status, type, tag, folderId, emailId, search }: JourneyFilter): boolean {
  return status.length + type.length + tag.length === 0 && (folderId ?? emailId ?? search) === undefined;
}

/** The figures for a page of journeys. One statement, so everything is from one moment. */
async function readEver(db: Database, tenantId: number, limit: number): Promise<RollupData> {
  const rows = await selectJourneysEver(db.slow(tenantId), tenantId, limit);
  if (rows.length > limit) throw new ApiError('RESULT_SET_TOO_LARGE', { limit });
  return {
    journeys: rows.map((row) => showJourney(row, row, row)),
    totals: { ...showFigures(sumCounts(rows)), ...sumPassages(rows) },
  };
}

async function readSome(
  db: Database,
  tenantId: number,
  { status, type, tag, folderId, emailId, search }: JourneyFilter,
  window: Window,
  limit: number,
): Promise<RollupData> {
  const isNowhere = folderId !== undefined && !isAssetId(folderId);
  // Who sends an email is told from what every journey is made of.
  const finder = search === undefined && emailId === undefined ? db : db.slow(tenantId);
  const filter = { status, type, tag, folderId, emailId, search };
  const matching = isNowhere ? [] : await selectJourneysForStats(finder, tenantId, filter, limit);
  if (matching.length > limit) throw new ApiError('RESULT_SET_TOO_LARGE', { limit });
  const journeyIds = matching.map(({ journeyId }) => journeyId);
  const numbers = matching.map(({ journeyNo }) => journeyNo);
  const asked = [{ window, subjects: countersOfJourney * matching.length }];
  const { rows, passed } = await readAll(db, tenantId, asked, async (reader) => ({
    rows: journeyIds.length === 0 ? [] : await sumByJourney(reader, tenantId, journeyIds, window),
    passed: await readWholes({ window: reader, ever: db }, tenantId, numbers, window),
  }));
  const counts = new Map(rows.map((row) => [row.journeyId, row]));
  return {
    journeys: matching.map((journey) =>
      showJourney(journey, counts.get(journey.journeyId) ?? noCounts(), passed.get(journey.journeyNo) ?? noPassage()),
    ),
    totals: { ...showFigures(sumCounts(rows)), ...sumPassages(passed.values()) },
  };
}

/** Spelled out like showCounts: assembled from parts, 500 of them took a fifth of a rollup's own time. */
function showJourney({ journeyId, name, type, status, hasGoal }: NamedJourney, counts: Counts, passage: Whole): Row {
  return {
    journeyId,
    name,
    type,
    status,
    sent: counts.sent,
    delivered: counts.delivered,
    opened: counts.opened,
    uniqueOpened: counts.uniqueOpened,
    clicked: counts.clicked,
    uniqueClicked: counts.uniqueClicked,
    bounced: counts.hardBounced + counts.softBounced,
    hardBounced: counts.hardBounced,
    softBounced: counts.softBounced,
    unsubscribed: counts.unsubscribed,
    complained: counts.complained,
    failed: counts.failed,
    machineOpened: counts.machineOpened,
    machineClicked: counts.machineClicked,
    rates: ratesOf(counts),
    entered: passage.entered,
    completed: passage.completed,
    exited: passage.exited,
    inProgress: passage.inProgress,
    reachedGoal: passage.reachedGoal,
    goalRate: hasGoal || passage.reachedGoal > 0 ? share(passage.reachedGoal, passage.entered) : null,
    holdout: showHoldout(passage),
  };
}

function showHoldout({ entered, reachedGoal, heldEntered, heldReachedGoal }: Whole): Row['holdout'] {
  if (heldEntered + heldReachedGoal === 0) return null;
  const treated = { entered: entered - heldEntered, reachedGoal: reachedGoal - heldReachedGoal };
  return compareGroups(treated, { entered: heldEntered, reachedGoal: heldReachedGoal });
}
