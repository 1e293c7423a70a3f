// How many filters go in one statement.
import { type EventFilter, type Filter, isGroup } from '../tree.js';

// Those that read nothing but the contact share its row; of the others planning takes longer the more they are, 72 ms for 20 lists,
// while they share the scan of events.
export const mostPlain = 40;
export const mostJoining = 8;
// In one statement, unless one filter has more: PostgreSQL takes 65,535 parameters, and a condition may need a hundred.
const mostConditions = 400;

/** Groups items with a filter, in order: a limited number, and not too heavy. */
export function batchesOf<T>(items: readonly T[], most: number, filterOf: (item: T) => Filter | undefined): T[][] {
  const batches: T[][] = [];
  let weight = 0;
  for (const item of items) {
    const filter = filterOf(item);
    const own = filter ? weightOf(filter) : 0;
    const batch = batches.at(-1);
    if (batch && batch.length < most && weight + own <= mostConditions) {
      batch.push(item);
      weight += own;
    } else {
      batches.push([item]);
      weight = own;
    }
  }
  return batches;
}

/** How many conditions it has, those of every `where` included. */
function weightOf(filter: Filter | EventFilter): number {
  if (isGroup<Filter | EventFilter>(filter)) return filter.of.reduce((sum, part) => sum + weightOf(part), 0);
  const wheres =
    filter.kind === 'sequence' ? filter.steps.map((step) => step.where) : 'where' in filter ? [filter.where] : [];
  return wheres.reduce(
    (sum, where) => sum + (where ? weightOf(where) : 0),
    filter.kind === 'sequence' ? filter.steps.length : 1,
  );
}

/** It reads nothing but the contact's own row. */
export function isPlain(filter: Filter): boolean {
  if (isGroup(filter)) return filter.of.every(isPlain);
  if (filter.kind === 'registered') return filter.subject.isPlain ?? false;
  return filter.kind === 'property' || filter.kind === 'contact' || filter.kind === 'bucket';
}
