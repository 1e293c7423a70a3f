import type { Eraser } from '../contacts/index.js';
import { deleteMessagesOf } from '../emails/index.js';
import { forgetKeys } from '../idempotency/index.js';
import { forgetAddress } from './activity/queries.js';
import { deleteVersionsOf } from './queries.js';

/** Erases a person from versions, their activity, kept messages and replayable answers. */
export const eraseVersions: Eraser = async (tx, tenantId, contact) => {
  await deleteVersionsOf(tx, tenantId, contact.id);
  await forgetAddress(tx, tenantId, contact.email);
  await deleteMessagesOf(tx, tenantId, contact.email);
  // Their answers contain text that was rendered for a person, and cannot be searched for that person.
  await forgetKeys(tx, tenantId, ['previewEmail', 'testSendEmail']);
};
