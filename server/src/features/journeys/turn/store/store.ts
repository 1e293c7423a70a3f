// Stores where each enrolment stands after a turn.
import { dropCalls } from '../../../webhooks/index.js';
import type { Note } from '../../engine/types.js';
import { tellMoved } from '../../enrolments/tell.js';
import { Deltas } from '../../passage/deltas.js';
import { insertDeltas } from '../../passage/queries.js';
import type { TurnContext } from '../context.js';
import type { EnrolmentInHand } from '../enrolment.js';
import type { TurnEnrolments } from '../enrolments.js';
import { insertEnrolments, insertNotes, updateEnrolments } from './queries.js';

/** A note about another journey that a step came to nothing in, for the timeline of the enrolment that tried. */
export interface Refusal extends Note {
  readonly enrolmentId: string;
}

/** The rows of those that changed so far. More may come of them in the same turn. */
export async function flushStates({ tx, tenantId, now }: TurnContext, enrolments: TurnEnrolments): Promise<void> {
  const touched = [...enrolments.all].filter((one) => one.isTouched);
  const [known, fresh] = [touched.filter((one) => one.isStored), touched.filter((one) => !one.isStored)];
  const rows = (enrolments: readonly EnrolmentInHand[]) => enrolments.map((one) => one.stored(now));
  await insertEnrolments(tx, tenantId, rows(fresh));
  const gone = await updateEnrolments(tx, tenantId, rows(known));
  for (const one of known) if (gone.has(one.id)) one.isGone = true;
  for (const one of touched) {
    one.isTouched = false;
    one.isStored = true;
  }
}

export async function storeEnrolments(
  context: TurnContext,
  enrolments: TurnEnrolments,
  refusals: readonly Refusal[],
): Promise<void> {
  const { tx, tenantId, at, now } = context;
  await flushStates(context, enrolments);
  const all = [...enrolments.all];
  const hungUp = all.filter((one) => one.hasHungUp).map(({ id }) => id);
  if (hungUp.length > 0) await dropCalls(tx, tenantId, hungUp);
  const here = all.filter((one) => !one.isGone);
  await insertNotes(tx, tenantId, [...here, ...refusals.map((note) => ({ id: note.enrolmentId, notes: [note] }))], at);
  const deltas = new Deltas(now);
  for (const one of here) deltas.add(one.passed);
  await insertDeltas(tx, tenantId, deltas);
  await tellMoved(
    tx,
    tenantId,
    here.map((one) => ({
      ...{ enrolmentId: one.id, contactId: one.contactId, version: one.version, ended: one.ended },
      ...{ journeyId: one.journey.journeyId, journeyNo: one.journey.journeyNo },
      ...{ isNew: one.isNew, reachedGoal: one.reachedGoal },
    })),
    at,
  );
}
