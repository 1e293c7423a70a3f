// Stores where everybody stands after a turn, and tells who entered, left or reached the goal.
import { counters } from '../../../db/counters.js';
import type { MarkChanged } from '../../dynamic-lists/index.js';
import type { Company } from './company.js';
import type { Ground } from './ground.js';
import type { Refusal } from './hear-arrivals.js';
import { addToCounters, insertEnrolments, insertNotes, updateEnrolments } from './queries.js';
import type { Traveller } from './traveller.js';

/** Something that happened in a journey, for whoever wants to be told. */
export interface Happening {
  type: 'journey.entered' | 'journey.completed' | 'journey.exited' | 'journey.goal';
  contactId: string;
  at: string;
  data: Record<string, unknown>;
}

/** What filters read of a contact in a journey: see markChanged(). */
export const enrolmentKey = (journeyId: string) => `journey:${journeyId}`;

/** The rows of those that changed so far. More may come of them in the same turn. */
export async function flushStates(
  { tx, tenantId, now }: Pick<Ground, 'tx' | 'tenantId' | 'now'>,
  company: Pick<Company, 'all'>,
): Promise<void> {
  const touched = [...company.all].filter((one) => one.isTouched);
  const [known, fresh] = [touched.filter((one) => one.isStored), touched.filter((one) => !one.isStored)];
  const rows = (travellers: readonly Traveller[]) => travellers.map((one) => one.stored(now));
  await insertEnrolments(tx, tenantId, rows(fresh));
  await updateEnrolments(tx, tenantId, rows(known));
  for (const one of touched) {
    one.isTouched = false;
    one.isStored = true;
  }
}

export async function storeCompany(
  ground: Ground,
  company: Company,
  refusals: readonly Refusal[],
  { markChanged, announce }: { markChanged: MarkChanged; announce: Announce },
): Promise<void> {
  const { tx, tenantId, at } = ground;
  await flushStates(ground, company);
  const all = [...company.all];
  const notes = all.flatMap((one) => one.notes.map((note) => ({ ...note, enrolmentId: one.id })));
  await insertNotes(tx, tenantId, [...notes, ...refusals]);
  await addToCounters(tx, tenantId, deltasOf(all));
  const moved = all.filter((one) => one.isNew || one.ended || one.reachedGoal);
  if (moved.length === 0) return;
  const changed = moved.map(({ contactId, journey }) => ({ contactId, keys: [enrolmentKey(journey.journeyId)] }));
  await markChanged(tx, tenantId, changed, at);
  await announce(
    tx,
    tenantId,
    moved.flatMap((one) => happeningsOf(one, at)),
  );
}

export type Announce = (tx: Ground['tx'], tenantId: number, happenings: readonly Happening[]) => Promise<void>;

function deltasOf(travellers: readonly Traveller[]): Map<string, number> {
  const deltas = new Map<string, number>();
  const add = (counter: string, delta: number) => deltas.set(counter, (deltas.get(counter) ?? 0) + delta);
  for (const { journey, isNew, ended } of travellers) {
    if (!isNew && ended) add(counters.enrolments(journey.journeyNo, 'active'), -1);
    if (isNew || ended) add(counters.enrolments(journey.journeyNo, ended?.as ?? 'active'), 1);
  }
  return deltas;
}

function happeningsOf(one: Traveller, at: string): Happening[] {
  const { contactId, journey, ended } = one;
  const data = { journeyId: journey.journeyId, enrolmentId: one.id, contactId, version: one.version };
  return [
    ...(one.isNew ? [{ type: 'journey.entered' as const, contactId, at, data }] : []),
    ...(one.reachedGoal ? [{ type: 'journey.goal' as const, contactId, at, data }] : []),
    ...(ended ? [{ type: `journey.${ended.as}` as const, contactId, at, data: { ...data, reason: ended.reason } }] : []),
  ];
}
