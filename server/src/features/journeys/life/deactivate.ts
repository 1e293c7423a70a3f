import type { Transaction } from '../../../db/database.js';
import { ApiError } from '../../../http/api-error.js';
import { releaseJourney, skipJourneyMessages } from '../../messages/index.js';
import { dropCalls } from '../../webhooks/index.js';
import { type Authoring, getHeld } from '../authoring.js';
import { tellMoved } from '../enrolments/tell.js';
import { type By, findRow, type JourneyRow } from '../queries.js';
import { bumpEdition, dropWaiting, endEnrolments, lockJourneys, setInactive, setStopped } from './queries.js';

/** So many of each kind are ended at once; a worker ends the others in its turns. */
const mostAtOnce = 1000;
const reason = 'journeyStopped';

/** Active enrolments exit, and messages that have not left are not sent. */
export async function deactivate(tx: Transaction, by: By, id: string, authoring: Authoring): Promise<JourneyRow> {
  const { tenantId } = by;
  const now = await lockJourneys(tx, tenantId);
  const { journeyId, journeyNo, state, isPaused } = await getHeld(tx, tenantId, id);
  if (state !== 'active')
    throw new ApiError('INVALID_STATE', { reason: 'The journey is not active, so there is nothing to stop.' });
  await setInactive(tx, by, journeyNo);
  await stopSome(tx, tenantId, { journeyId, journeyNo }, now);
  if (isPaused) await releaseJourney(tx, tenantId, journeyId);
  await bumpEdition(tx, tenantId);
  authoring.wakeAfter(tx);
  return (await findRow(tx, tenantId, journeyId)) as JourneyRow;
}

/** Ends some of the rest of a journey that is stopping. Returns whether that was all of it: then it has stopped. */
export async function stopSome(
  tx: Transaction,
  tenantId: number,
  { journeyId, journeyNo }: { journeyId: string; journeyNo: number },
  now: string,
): Promise<boolean> {
  const ended = await endEnrolments(tx, tenantId, journeyNo, reason, mostAtOnce, now);
  const calling = ended.filter(({ phase }) => phase === 'calling').map(({ enrolmentId }) => enrolmentId);
  if (calling.length > 0) await dropCalls(tx, tenantId, calling);
  const exited = { isNew: false, reachedGoal: false, ended: { as: 'exited' as const, reason } };
  await tellMoved(
    tx,
    tenantId,
    ended.map((one) => ({ ...one, ...exited, journeyId, journeyNo })),
    now,
  );
  const skipped = await skipJourneyMessages(tx, tenantId, journeyId, reason, mostAtOnce);
  const dropped = await dropWaiting(tx, tenantId, journeyNo, mostAtOnce);
  if (Math.max(ended.length, skipped, dropped) >= mostAtOnce) return false;
  await setStopped(tx, tenantId, journeyNo, now);
  return true;
}
