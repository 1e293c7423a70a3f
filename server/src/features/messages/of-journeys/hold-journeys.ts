// Messages of journeys that are paused are put off in steps, and put back when the journey goes on; those of stopped ones are skipped.
import type { Background, Transaction } from '../../../db/database.js';
import { inSteps } from '../../../work/chores.js';
import * as queries from './queries.js';

/**
 * When messages may leave: a journey may have a window. Returns a time for each, in their order, that has not passed where there is a
 * window. By default they leave when they were to, which is now where that has passed.
 */
export type DueAgain = (
  tx: Transaction,
  tenantId: number,
  messages: readonly queries.Leaving[],
) => Promise<readonly string[]>;

/** Does what holds and releases left to do. Answers once nothing is left. */
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
 * Messages of the journey that wait are skipped, some at a time: answers how many, and less than `atMost` when it was all. Those that a
 * sender has just now are skipped too, if they do not leave: when they would be tried again.
 */
export async function skipJourneyMessages(
  tx: Transaction,
  tenantId: number,
  journeyId: string,
  reason: string,
  atMost: number,
): Promise<number> {
  await queries.noteStop(tx, tenantId, journeyId, reason);
  return queries.skipWaiting(tx, tenantId, journeyId, reason, atMost);
}
