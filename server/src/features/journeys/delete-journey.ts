import type { Transaction } from '../../db/database.js';
import { ApiError } from '../../http/api-error.js';
import { getHeld } from './authoring.js';
import { forgetHeaders } from './headers/headers.js';
import { holdEdition } from './life/queries.js';
import { type By, markDeleted } from './queries.js';
import { journeyUse } from './uses/uses.js';

/** Who was on the way has left, or is being let go by the worker. Gives the name that the journey had. */
export async function deleteJourney(tx: Transaction, by: By, id: string): Promise<string> {
  // Before its row is locked: activation takes the locks in the same order.
  await holdEdition(tx, by.tenantId);
  const { journeyId, journeyNo, name, state } = await getHeld(tx, by.tenantId, id);
  if (state === 'active')
    throw new ApiError('INVALID_STATE', { reason: 'An active journey can’t be deleted. Stop it first.' });
  const reason = await journeyUse(tx, by.tenantId, journeyId);
  if (reason) throw new ApiError('INVALID_STATE', { reason });
  await forgetHeaders(tx, by.tenantId, journeyNo);
  await markDeleted(tx, by, journeyId);
  return name;
}
