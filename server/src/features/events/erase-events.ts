import type { Transaction } from '../../db/database.js';
import type { Eraser } from '../contacts/index.js';
import { type FinishedResults, replaceResults, selectResults, selectResultsFrom } from '../transactions/index.js';
import { deleteEventsOf, ofEvents, ofRepeats } from './queries.js';
import { forgetArrivals } from './recent/index.js';
import { forgetIds, idsAt, repeatsOf, type StoredEventResults } from './results.js';

// Results of a write take up to 40 KB.
const step = 100;

/** Erases what events keep about a person: the events, their counts, their keys among the newest, and the ids in results of older writes. */
export const eraseEvents: Eraser = async (tx, tenantId, { id }) => {
  const gone = await deleteEventsOf(tx, tenantId, id);
  await forgetArrivals(tx, tenantId, id, [...new Set(gone.flatMap(({ eventNames }) => eventNames))]);
  const ids = new Set<string>();
  for (let from = 0; from < gone.length; from += step) {
    const itemsOf = new Map(gone.slice(from, from + step).map(({ seq, items }) => [seq, items]));
    // Segment's calls have no results, and those of old writes are gone.
    const writes = await selectResults<StoredEventResults>(tx, tenantId, ofEvents, [...itemsOf.keys()]);
    const forgotten = writes.map(({ seq, uuid, results }) => {
      const items = itemsOf.get(seq) as number[];
      for (const eventId of idsAt(results, items)) ids.add(eventId);
      return { uuid, results: forgetIds(results, new Set(items)) };
    });
    await replaceResults(tx, tenantId, forgotten);
  }
  if (ids.size > 0) await forgetRepeats(tx, tenantId, (gone[0] as { seq: number }).seq, ids);
};

// A repeat has no event that leads to it: it is found by its id, among the few writes that had repeats.
async function forgetRepeats(
  tx: Transaction,
  tenantId: number,
  first: number,
  ids: ReadonlySet<string>,
): Promise<void> {
  for (let from: number | undefined = first; from !== undefined; ) {
    const writes: FinishedResults<StoredEventResults>[] = await selectResultsFrom(tx, tenantId, ofRepeats, from, step);
    const forgotten = writes.flatMap(({ uuid, results }) => {
      const repeats = repeatsOf(results, ids);
      return repeats.size === 0 ? [] : { uuid, results: forgetIds(results, repeats) };
    });
    await replaceResults(tx, tenantId, forgotten);
    const last = writes.at(-1);
    from = last && writes.length === step ? last.seq + 1 : undefined;
  }
}
