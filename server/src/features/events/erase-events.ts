import type { Eraser } from '../contacts/index.js';
import { deleteEventsOf, findEventResults, replaceResults } from './queries.js';
import { forgetIds } from './results.js';

/** What events keep of a person: the events, their counts, and the ids that results of older writes show. */
export const eraseEvents: Eraser = async (tx, tenantId, { id }) => {
  for (const { seq, items } of await deleteEventsOf(tx, tenantId, id)) {
    const write = await findEventResults(tx, tenantId, seq);
    // Segment's calls have no results, and those of old writes are gone.
    if (write) await replaceResults(tx, tenantId, write.uuid, forgetIds(write.results, new Set(items)));
  }
};
