export { type FieldProblem, findProblems, type Texts } from './check-templates.js';
export type { UseCheck } from './delete-email.js';
export { deleteMessagesOf, insertOutboxMessage } from './outbox/queries.js';
export { findEmail, type StoredEmail, selectLiveIds } from './queries.js';
export { type Links, previewLinks, type Recipient, RenderFailure, renderText } from './render-email.js';
export { emailEndpoints, getEmail } from './routes.js';
