import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '../../../db/database.js';
import { ApiError, invalid } from '../../../http/api-error.js';
import type { Fault } from '../../filter-language/index.js';
import { type Authoring, getHeld } from '../authoring.js';
import { checkDefinition } from '../check-definition.js';
import { openedForCheck } from '../headers/headers.js';
import { type By, findRow, type HeldJourney, type JourneyRow, type Json } from '../queries.js';
import { faultsOfTime, firstRun } from './next-run.js';
import { bumpEdition, findVersion, lockJourneys, putVersion, setActive } from './queries.js';

/** From here on contacts enter it: those of its runs, or by news that are acknowledged from now on. `known`: faults of its templates. */
export async function activate(
  tx: Transaction,
  by: By,
  id: string,
  authoring: Authoring,
  known: readonly Fault[],
): Promise<JourneyRow> {
  const { tenantId } = by;
  const now = await lockJourneys(tx, tenantId);
  const journey = await getHeld(tx, tenantId, id);
  refuseState(journey);
  if (!journey.definition) throw invalid('definition', 'is required before a journey can be activated');
  const opened = await openedForCheck(tx, authoring.box, tenantId, journey.definition);
  const all = [...known, ...faultsOfTime(opened, now)];
  const definition = await checkDefinition(tx, tenantId, opened, journey.type, authoring.subjects, all);
  const nextRunAt = firstRun(definition, now);
  const version = await versionFor(tx, tenantId, journey, journey.definition);
  await putVersion(tx, tenantId, journey.journeyNo, version, journey.definition, now);
  const isByDate = definition.entry.kind === 'date';
  await setActive(tx, by, journey.journeyNo, { version, nextRunAt, isByDate }, now);
  await bumpEdition(tx, tenantId);
  authoring.wakeAfter(tx);
  return (await findRow(tx, tenantId, journey.journeyId)) as JourneyRow;
}

function refuseState({ state, isStopping }: HeldJourney): void {
  if (state === 'active') throw new ApiError('INVALID_STATE', { reason: 'The journey is already active.' });
  if (isStopping) {
    const reason = 'The journey is still being stopped: those who are on the way leave. Try again in a moment.';
    throw new ApiError('INVALID_STATE', { reason });
  }
}

/** Every definition that was ever active is a version; the same one again is the same version. */
async function versionFor(
  tx: Transaction,
  tenantId: number,
  { journeyNo, version }: HeldJourney,
  definition: Json,
): Promise<number> {
  if (version === null) return 1;
  const last = await findVersion(tx, tenantId, journeyNo, version);
  return isDeepStrictEqual(last, definition) ? version : version + 1;
}
