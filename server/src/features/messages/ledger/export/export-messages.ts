// What the ledger and the suppressions keep about a person, for the right of access: everything that the eraser of messages removes.
import { inPages } from '../../../../db/in-pages.js';
import { exporter } from '../../../contacts/index.js';
import { findSuppression } from '../../suppressions/queries.js';
import { timelineOf } from '../read-message.js';
import { type MessageOfPerson, selectMessagesOfPerson, ways } from './queries.js';

// Each may have a text of 512,000 bytes, and thousands of opens.
const pageSize = 8;

export const messageSections = [
  exporter('messages', async function* (db, tenantId, person) {
    for (const way of ways)
      for await (const { events, ...message } of inPages(pageSize, (after: MessageOfPerson | undefined, size) =>
        selectMessagesOfPerson(db, tenantId, person, way, after, size),
      ))
        yield { ...message, timeline: timelineOf(message, message.attempts, events) };
  }),
  exporter('suppressions', async function* (db, tenantId, { email }) {
    const suppression = await findSuppression(db, tenantId, email);
    if (suppression) yield suppression;
  }),
];
