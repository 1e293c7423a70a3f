import type { Database } from '../../db/database.js';
import { inPages } from '../../db/in-pages.js';
import { exporter, type SectionRow } from '../contacts/index.js';
import { marketingEvents, selectTimelineAfter, type TimelineKey } from '../events/index.js';
import { withoutNulls } from './queries.js';
import { activityEndpoints } from './routes.js';

type Activity = SectionRow<'marketingActivity'>;

export function contactActivity({ db }: { db: Database }) {
  return { endpoints: activityEndpoints(db), exporters: [marketingSection] };
}

/** What came of mail to a contact. An erasure keeps the rows, but no longer says whose they were. */
const marketingSection = exporter('marketingActivity', (db, tenantId, { id: contactId }) =>
  inPages(500, async (after: (Activity & TimelineKey) | undefined, size) =>
    withoutNulls(await selectTimelineAfter<Activity>(db, marketingEvents, { tenantId, contactId }, after, size)),
  ),
);
