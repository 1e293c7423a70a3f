// A person's events, for the right of access, with their ids as long as results contain them: everything that eraseEvents removes.
import type { Runner } from '../../db/database.js';
import { inPages } from '../../db/in-pages.js';
import { exporter, type SectionRow } from '../contacts/index.js';
import { selectResults } from '../transactions/index.js';
import { roomForItems } from './plan-events.js';
import { ofEvents } from './queries.js';
import { idsAt, type StoredEventResults } from './results.js';
import { productEvents, selectTimelineAfter, type TimelineKey } from './timeline/index.js';

// Results of a write take up to 40 KB, and each event may belong to a different write.
const pageSize = 200;

type Event = SectionRow<'productEvents'>;
type Numbered = Omit<Event, 'eventId'> & TimelineKey;

export const eventSection = exporter('productEvents', (db, tenantId, { id: contactId }) =>
  inPages(pageSize, async (after: (Event & TimelineKey) | undefined, size) => {
    const owner = { tenantId, contactId };
    return withIds(db, tenantId, await selectTimelineAfter<Numbered>(db, productEvents, owner, after, size));
  }),
);

async function withIds(db: Runner, tenantId: number, events: Numbered[]): Promise<(Event & TimelineKey)[]> {
  const seqOf = ({ eventNo }: Numbered) => Math.floor(eventNo / roomForItems);
  const writes = await selectResults<StoredEventResults>(db, tenantId, ofEvents, [...new Set(events.map(seqOf))]);
  const resultsOf = new Map(writes.map(({ seq, results }) => [seq, results]));
  return events.map((event) => {
    const results = resultsOf.get(seqOf(event));
    const [eventId = null] = results ? idsAt(results, [event.eventNo % roomForItems]) : [];
    return { ...event, eventId };
  });
}
