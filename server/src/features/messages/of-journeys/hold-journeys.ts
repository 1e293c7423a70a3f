// Messages of paused journeys are put off in steps, and put back when the journey resumes; those of stopped journeys are skipped.
import type { Background, Transaction } from '../../../db/database.js';
import { inSteps } from '../../../work/chores.js';
import * as queries from './queries.js';
import { skipWaiting, skipWaitingOf } from './skip/queries.js';

/**
 * When messages may leave, as a journey may have a window. Returns a time for each message, in order, which is never in the past if there is
 * a window. By default messages leave when they are due, or at once if that time has passed.
 */
export type DueAgain = (
  tx: Transaction,
  tenantId: number,
  messages: readonly queries.Leaving[],
) => Promise<readonly string[]>;

/** Does the remaining work of holds and releases. Resolves when nothing is left. */
export async function settleHolds(
  db: Background,
  signal: AbortSignal,
  dueAgain: DueAgain | undefined,
): Promise<boolean> {
  let isMoved = false;
  for (const { tenantId, journeyId, isReleased } of await queries.selectHolds(db)) {
    if (signal.aborted) break;
    const step = isReleased
      ? (atMost: number) => putBackSome(db, tenantId, journeyId, atMost, dueAgain)
      : (atMost: number) => queries.putOff(db, tenantId, journeyId, atMost);
    await inSteps(step, signal);
    isMoved ||= isReleased;
  }
  return isMoved;
}

async function putBackSome(
  db: Background,
  tenantId: number,
  journeyId: string,
  atMost: number,
  dueAgain: DueAgain | undefined,
): Promise<number> {
  return db.transaction(async (tx) => {
    if (!(await queries.lockReleased(tx, tenantId, journeyId))) return 0;
    const messages = await queries.lockPutOff(tx, tenantId, journeyId, atMost);
    if (messages.length > 0) {
      const times = await dueAgain?.(tx, tenantId, messages);
      const back = messages.map((message, i) => ({ ...message, dueAt: times?.[i] ?? message.dueAt }));
      await queries.putBack(tx, tenantId, back);
    } else if (!(await queries.hasPutOff(tx, tenantId, journeyId))) await queries.deleteHold(tx, tenantId, journeyId);
    return messages.length;
  });
}

/**
 * Skips some waiting messages of the journey. Returns how many; fewer than `atMost` means that none are left. Messages that a
 * sender holds at the moment are skipped too, if they are not sent: when they would be retried.
 */
export async function skipJourneyMessages(
  tx: Transaction,
  tenantId: number,
  journeyId: string,
  reason: string,
  atMost: number,
): Promise<number> {
  await queries.noteStop(tx, tenantId, journeyId, reason);
  return skipWaiting(tx, tenantId, journeyId, reason, atMost);
}

/** Skips what waits to leave to a contact who left a journey. What a sender holds at the moment leaves. */
export async function skipEnrolmentMessages(
  tx: Transaction,
  tenantId: number,
  enrolmentId: string,
  reason: string,
): Promise<void> {
  await skipWaitingOf(tx, tenantId, enrolmentId, reason);
}
