import type { Transaction } from '../../../db/database.js';
import { ApiError } from '../../../http/api-error.js';
import { holdJourney, releaseJourney } from '../../messages/index.js';
import { type Authoring, getHeld } from '../authoring.js';
import { findDetails, type HeldJourney, type JourneyDetails } from '../queries.js';
import { bumpEdition, lockJourneys, setPaused } from './queries.js';

/** No enrolment moves and no mail leaves; news are kept for later. A step that is running now is finished first. */
export function pause(tx: Transaction, tenantId: number, id: string, authoring: Authoring): Promise<JourneyDetails> {
  return turn(tx, tenantId, id, authoring, async ({ journeyId, journeyNo, isPaused }, now) => {
    if (isPaused) throw new ApiError('INVALID_STATE', { reason: 'The journey is already paused.' });
    await setPaused(tx, tenantId, journeyNo, now);
    await holdJourney(tx, tenantId, journeyId);
  });
}

export function resume(tx: Transaction, tenantId: number, id: string, authoring: Authoring): Promise<JourneyDetails> {
  return turn(tx, tenantId, id, authoring, async ({ journeyId, journeyNo, isPaused }) => {
    if (!isPaused)
      throw new ApiError('INVALID_STATE', { reason: 'The journey is not paused, so it cannot be resumed.' });
    await setPaused(tx, tenantId, journeyNo, null);
    await releaseJourney(tx, tenantId, journeyId);
  });
}

async function turn(
  tx: Transaction,
  tenantId: number,
  id: string,
  authoring: Authoring,
  change: (journey: HeldJourney, now: string) => Promise<void>,
): Promise<JourneyDetails> {
  const now = await lockJourneys(tx, tenantId);
  const journey = await getHeld(tx, tenantId, id);
  if (journey.state !== 'active')
    throw new ApiError('INVALID_STATE', {
      reason: 'The journey is not active: only an active one can be paused or resumed.',
    });
  await change(journey, now);
  await bumpEdition(tx, tenantId);
  authoring.wakeAfter(tx);
  return (await findDetails(tx, tenantId, journey.journeyId)) as JourneyDetails;
}
