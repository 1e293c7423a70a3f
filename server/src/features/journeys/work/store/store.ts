// Stores where everybody stands after a turn.
import { dropCalls } from '../../../webhooks/index.js';
import { tellMoved } from '../../enrolments/tell.js';
import { Deltas } from '../../passage/deltas.js';
import { insertDeltas } from '../../passage/queries.js';
import type { Company } from '../company.js';
import type { Ground } from '../ground.js';
import type { Refusal } from '../hear-arrivals.js';
import type { Traveller } from '../traveller.js';
import { insertEnrolments, insertNotes, updateEnrolments } from './queries.js';

/** The rows of those that changed so far. More may come of them in the same turn. */
export async function flushStates({ tx, tenantId, now }: Ground, company: Company): Promise<void> {
  const touched = [...company.all].filter((one) => one.isTouched);
  const [known, fresh] = [touched.filter((one) => one.isStored), touched.filter((one) => !one.isStored)];
  const rows = (travellers: readonly Traveller[]) => travellers.map((one) => one.stored(now));
  await insertEnrolments(tx, tenantId, rows(fresh));
  const gone = await updateEnrolments(tx, tenantId, rows(known));
  for (const one of known) if (gone.has(one.id)) one.isGone = true;
  for (const one of touched) {
    one.isTouched = false;
    one.isStored = true;
  }
}

export async function storeCompany(ground: Ground, company: Company, refusals: readonly Refusal[]): Promise<void> {
  const { tx, tenantId, at, now } = ground;
  await flushStates(ground, company);
  const all = [...company.all];
  const hungUp = all.filter((one) => one.hasHungUp).map(({ id }) => id);
  if (hungUp.length > 0) await dropCalls(tx, tenantId, hungUp);
  const here = all.filter((one) => !one.isGone);
  await insertNotes(tx, tenantId, [...here, ...refusals.map((note) => ({ id: note.enrolmentId, notes: [note] }))]);
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
