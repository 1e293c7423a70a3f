// Who entered, left or reached the goal: counted, told to filters that read it, and to subscribers.
import { counters } from '../../../db/counters.js';
import type { Transaction } from '../../../db/database.js';
import { inputsChanged } from '../../dynamic-lists/index.js';
import { announce, type Happening } from '../../webhooks/index.js';
import { addToCounters } from './queries.js';

/** What became of an enrolment in a transaction. */
interface Moved {
  readonly journeyId: string;
  readonly journeyNo: number;
  readonly enrolmentId: string;
  readonly contactId: string;
  readonly version: number;
  readonly isNew: boolean;
  readonly reachedGoal: boolean;
  readonly ended?: { readonly as: 'completed' | 'exited'; readonly reason: string | null } | undefined;
}

/** What filters read of a contact in a journey: see markChanged(). */
export const enrolmentKey = (journeyId: string) => `journey:${journeyId}`;

export async function tellMoved(tx: Transaction, tenantId: number, all: readonly Moved[], at: string): Promise<void> {
  const moved = all.filter((one) => one.isNew || one.ended || one.reachedGoal);
  if (moved.length === 0) return;
  await addToCounters(tx, tenantId, deltasOf(moved));
  await inputsChanged.tell(tx, tenantId, at, () =>
    moved.map(({ contactId, journeyId }) => ({ contactId, keys: [enrolmentKey(journeyId)] })),
  );
  const happenings: Happening[] = [];
  for (const one of moved) addHappenings(one, at, happenings);
  await announce(tx, tenantId, happenings);
}

function deltasOf(moved: readonly Moved[]): Map<string, number> {
  const deltas = new Map<string, number>();
  const add = (counter: string, delta: number) => deltas.set(counter, (deltas.get(counter) ?? 0) + delta);
  for (const { journeyNo, isNew, ended } of moved) {
    if (!isNew && ended) add(counters.enrolments(journeyNo, 'active'), -1);
    if (isNew || ended) add(counters.enrolments(journeyNo, ended?.as ?? 'active'), 1);
  }
  return deltas;
}

function addHappenings({ isNew, reachedGoal, ended, ...one }: Moved, at: string, happenings: Happening[]): void {
  const { contactId, journeyId, enrolmentId, version } = one;
  const data = { journeyId, enrolmentId, contactId, version };
  if (isNew) happenings.push({ type: 'journey.entered', contactId, at, data });
  if (reachedGoal) happenings.push({ type: 'journey.goal', contactId, at, data });
  if (ended) happenings.push({ type: `journey.${ended.as}`, contactId, at, data: { ...data, reason: ended.reason } });
}
