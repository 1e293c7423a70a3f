// Evaluates filters for many contacts at once, for callers that act on the results themselves: journeys.
import type { Runner } from '../../../db/database.js';
import { compileAll } from '../compile/index.js';
import type { Filter } from '../tree.js';
import { batchesOf, isPlain, mostJoining, mostPlain } from './batches.js';
import { groundFor, selectVerdicts, type Verdict } from './queries.js';

/**
 * By contact, in the order of the filters, at one moment. Contacts that are gone are absent. Filters that only need the contact's row
 * go 40 in a statement, others 8, and none has more than some 400 conditions; 2,000 contacts at once are well.
 */
export async function evaluateFilters(
  tx: Runner,
  tenantId: number,
  filters: readonly Filter[],
  contactIds: readonly string[],
  now: string,
): Promise<ReadonlyMap<string, readonly Verdict[]>> {
  if (contactIds.length === 0) return new Map();
  const ids = [...new Set(contactIds)];
  const found = new Map<string, (Verdict | undefined)[]>();
  for (const batch of inBatches(filters)) {
    const compiled = compileAll(batch.map(filterOf), groundFor(tenantId, { exact: now }, ids));
    for (const { contactId, verdicts } of await selectVerdicts(tx, tenantId, compiled, ids)) {
      const own = found.get(contactId) ?? new Array<undefined>(filters.length).fill(undefined);
      for (const [i, { place }] of batch.entries()) own[place] = verdicts[i];
      found.set(contactId, own);
    }
  }
  return new Map([...found].filter(isComplete));
}

interface Placed {
  readonly filter: Filter;
  readonly place: number;
}

function inBatches(filters: readonly Filter[]): Placed[][] {
  const placed = filters.map((filter, place) => ({ filter, place }));
  const plain = placed.filter(({ filter }) => isPlain(filter));
  const joining = placed.filter(({ filter }) => !isPlain(filter));
  return [...batchesOf(plain, mostPlain, filterOf), ...batchesOf(joining, mostJoining, filterOf)];
}

const filterOf = ({ filter }: Placed) => filter;

/** A contact that was erased between two statements has answers of the first only, and is dropped. */
function isComplete(entry: [string, (Verdict | undefined)[]]): entry is [string, Verdict[]] {
  return !entry[1].includes(undefined);
}
