// Who takes part in a simulation: those who were named, or a sample from all over.

import type { Transaction } from '../../../db/database.js';
import { ApiError } from '../../../http/api-error.js';
import { isContactId } from '../../../lib/ids.js';
import { instantOf } from '../../../lib/instant.js';
import { random } from '../../../lib/random.js';
import { selectExisting } from '../../contacts/index.js';
import { membersSql } from '../../dynamic-lists/index.js';
import { selectWhoHad } from '../../events/index.js';
import { sampleContacts } from '../../filter-language/index.js';
import type { Definition } from '../definition/definition.js';
import { contactsOf, selectFirst, selectNear } from './queries.js';

export const usualSample = 100;
/** Up to this many are all read before some are chosen. */
const mostListed = 10_000;
const mostNamed = 5;

/** Those who are there, each once. A 400 names the first who are not. */
export async function getContacts(
  tx: Transaction,
  tenantId: number,
  named: readonly string[],
  field: string,
): Promise<string[]> {
  const contactIds = [...new Set(named)];
  const known = await selectExisting(tx, tenantId, contactIds.filter(isContactId));
  const unknown = contactIds.filter((contactId) => !known.has(contactId));
  if (unknown.length === 0) return contactIds;
  const more = unknown.length > mostNamed ? ` and ${unknown.length - mostNamed} more` : '';
  throw new ApiError('BAS-E-002', {}, { detail: `${field}: ${unknown.slice(0, mostNamed).join(', ')}${more}` });
}

/** At most `wanted` others than these. */
export async function sample(
  tx: Transaction,
  tenantId: number,
  { entry }: Definition,
  wanted: number,
  recorded: { from: number; to: number },
  others: readonly string[],
): Promise<string[]> {
  const reachesBack = entry.kind === 'event' && recorded.from < recorded.to;
  const source = entry.kind === 'batch' ? membersSql(tenantId, entry.audience) : contactsOf(tenantId);
  const first = await selectFirst(tx, source, mostListed + 1);
  let candidates = first;
  if (first.length > mostListed) {
    // Points from all over the contacts, and the next member from each: a few lookups, however large a list is.
    const points = await sampleContacts(tx, tenantId, reachesBack ? mostListed : wanted * 4);
    const near = entry.kind === 'batch' ? await selectNear(tx, source, points) : points;
    candidates = near.length >= wanted + others.length ? near : [...new Set([...near, ...first])];
  }
  if (reachesBack) {
    const period = { from: instantOf(recorded.from), to: instantOf(recorded.to) };
    candidates = await selectWhoHad(tx, tenantId, candidates, entry.eventName, period);
  }
  const taken = new Set(others);
  return shuffled(candidates.filter((contactId) => !taken.has(contactId))).slice(0, wanted);
}

function shuffled<T>(items: readonly T[]): T[] {
  const all = [...items];
  for (let i = all.length - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1));
    [all[i], all[other]] = [all[other] as T, all[i] as T];
  }
  return all;
}
