import type { Transaction } from '../../../db/database.js';
import type { Eraser } from '../../contacts/index.js';
import type { Interests } from '../news/interests.js';
import { anonymizeEnrolments, deleteFromJourneys, insertErased, takeErased } from './queries.js';

/**
 * A contact leaves at once; that it was there stays, without anything that says who it was. A worker that looked at the contact before
 * may store something of it right after: the mark makes the next turn look once more. So neither waits for the other.
 */
export function eraseFromJourneys(interests: Interests, onMarked: () => void): Eraser {
  return async (tx, tenantId, { id: contactId }, now) => {
    const { edition } = await interests.holdAll(tx, tenantId);
    if (edition === 0) return;
    const enrolmentIds = await forget(tx, tenantId, contactId, now);
    await insertErased(tx, tenantId, contactId, enrolmentIds, now);
    tx.afterCommit(onMarked);
  };
}

async function forget(tx: Transaction, tenantId: number, contactId: string, now: string): Promise<string[]> {
  const enrolmentIds = await anonymizeEnrolments(tx, tenantId, contactId, [], now);
  await deleteFromJourneys(tx, tenantId, contactId);
  return enrolmentIds;
}

/** The second look. Answers at how many. */
export async function eraseMarked(tx: Transaction, tenantId: number, now: string): Promise<number> {
  const marks = await takeErased(tx, tenantId);
  for (const { contactId, enrolmentIds } of marks) {
    await anonymizeEnrolments(tx, tenantId, contactId, enrolmentIds, now);
    await deleteFromJourneys(tx, tenantId, contactId);
  }
  return marks.length;
}
