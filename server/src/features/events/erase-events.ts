import type { Transaction } from '../../db/database.js';
import type { Eraser } from '../contacts/index.js';
import { deleteEventsOf, findEventResults, replaceResults, selectRepeats } from './queries.js';
import { forgetIds, idsAt, repeatsOf } from './results.js';

/** What events keep of a person: the events, their counts, and the ids that results of older writes show. */
export const eraseEvents: Eraser = async (tx, tenantId, { id }) => {
  const ids = new Set<string>();
  let first: number | undefined;
  for (const { seq, items } of await deleteEventsOf(tx, tenantId, id)) {
    const write = await findEventResults(tx, tenantId, seq);
    // Segment's calls have no results, and those of old writes are gone.
    if (!write) continue;
    first ??= seq;
    for (const eventId of idsAt(write.results, items)) ids.add(eventId);
    await replaceResults(tx, tenantId, write.uuid, forgetIds(write.results, new Set(items)));
  }
  if (first !== undefined && ids.size > 0) await forgetRepeats(tx, tenantId, first, ids);
};

const step = 100;

// A repeat has no event that would lead to it: it is found by the id, among the few writes that had repeats.
async function forgetRepeats(
  tx: Transaction,
  tenantId: number,
  first: number,
  ids: ReadonlySet<string>,
): Promise<void> {
  for (let from: number | undefined = first; from !== undefined; ) {
    const writes = await selectRepeats(tx, tenantId, from, step);
    for (const { uuid, results } of writes) {
      const repeats = repeatsOf(results, ids);
      if (repeats.size > 0) await replaceResults(tx, tenantId, uuid, forgetIds(results, repeats));
    }
    const last = writes.at(-1);
    from = last && writes.length === step ? last.seq + 1 : undefined;
  }
}
