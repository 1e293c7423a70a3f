// Chance that stays the same: the same people in the same share, whenever and wherever it is computed.
import { createHash } from 'node:crypto';

/** The first 32 bits of SHA-256. */
function hashOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0);
}

/** The bucket of a contact, from 0 up to `of`, as in filters (`bucket`). */
export function bucketOf(seed: string, contactId: string, of: number): number {
  return hashOf(`${seed}:${contactId}`) % of;
}

/** A share from 0 up to 1 for one visit of a step. */
export function shareOf(enrolmentId: string, stepId: string, visit: number): number {
  return hashOf(`${enrolmentId}:${stepId}:${visit}`) / 2 ** 32;
}
