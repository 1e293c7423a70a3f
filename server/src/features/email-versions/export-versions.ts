// What was written for a person, for the right of access: everything that eraseVersions removes, except answers that an idempotency key
// replays: those cannot be searched, and are deleted after a day.
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
