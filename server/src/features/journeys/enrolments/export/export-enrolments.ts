// Where a person is and was in journeys, and what waits for them there, for the right of access: whatever eraseFromJourneys removes. Answers
// of simulations that an idempotency key replays are not here: they are in no form that could be searched, and go after a day.
import { inPages } from '../../../../db/in-pages.js';
import { exporter } from '../../../contacts/index.js';
import { type NewsOfContact, selectDatesOf, selectEnrolmentsAfter, selectNewsAfter, selectRunsOf } from './queries.js';

// A timeline may have thousands of entries.
const pageSize = 20;

export const journeySections = [
  exporter('journeys', (db, tenantId, { id }) =>
    inPages(pageSize, (after, size) => selectEnrolmentsAfter(db, tenantId, id, after?.enrolmentId, size)),
  ),
  exporter('journeyNews', (db, tenantId, { id }) =>
    inPages(500, (after: NewsOfContact | undefined, size) => selectNewsAfter(db, tenantId, id, after?.newsNo, size)),
  ),
  exporter('journeyDates', async function* (db, tenantId, { id }) {
    yield* await selectDatesOf(db, tenantId, id);
  }),
  exporter('journeyRuns', async function* (db, tenantId, { id }) {
    yield* await selectRunsOf(db, tenantId, id);
  }),
];
