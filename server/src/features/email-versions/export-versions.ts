// What was written for a person and kept of it, for the right of access: whatever eraseVersions removes. Answers that an idempotency key
// replays are not here: they are in no form that could be searched, and go after a day.
import { inPages } from '../../db/in-pages.js';
import { exporter } from '../contacts/index.js';
import { type KeptMessage, selectMessagesOf } from '../emails/index.js';
import { type ActivityOfAddress, selectActivityOf } from './activity/queries.js';
import { selectVersionsAfter } from './queries.js';

// HTML of up to 512,000 bytes each.
const fewAtOnce = 4;

export const versionSections = [
  exporter('emailVersions', (db, tenantId, { id }) =>
    inPages(fewAtOnce, (after, size) => selectVersionsAfter(db, tenantId, id, after?.assetId, size)),
  ),
  exporter('versionActivity', (db, tenantId, { email }) =>
    inPages(500, (after: ActivityOfAddress | undefined, size) =>
      selectActivityOf(db, tenantId, email, after?.activityId, size),
    ),
  ),
  exporter('outboxMessages', async function* (db, tenantId, { email }) {
    for (const how of ['to', 'for'] as const)
      yield* inPages(fewAtOnce, (after: KeptMessage | undefined, size) =>
        selectMessagesOf(db, tenantId, how, email, after?.messageNo, size),
      );
  }),
];
