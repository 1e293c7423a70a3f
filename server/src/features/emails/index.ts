import type { Database } from '../../db/database.js';
import type { UseCheck } from './delete-email.js';
import { emailEndpoints } from './routes.js';

export { type FieldProblem, findProblems, type Texts } from './check-templates.js';
export type { UseCheck } from './delete-email.js';
export { deleteMessagesOf, insertOutboxMessage } from './outbox/queries.js';
export { findEmail, type StoredEmail, selectLiveIds } from './queries.js';
export { type Links, previewLinks, type Recipient, RenderFailure, renderText } from './render-email.js';
export { getEmail } from './routes.js';

export interface EmailNeeds {
  db: Database;
  baseUrl: () => string;
  /** What keeps an email from being deleted; filled by the app. */
  uses: readonly UseCheck[];
}

export function emails({ db, baseUrl, uses }: EmailNeeds) {
  return { endpoints: emailEndpoints(db, baseUrl, uses) };
}
