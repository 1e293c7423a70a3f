import type { Eraser } from '../contacts/index.js';
import { deleteMessagesOf } from '../emails/index.js';
import { forgetKeys } from '../idempotency/index.js';
import { forgetAddress } from './activity/queries.js';
import { deleteVersionsOf } from './queries.js';

/** What versions, their activity, kept messages and replayable answers hold of a person. */
export const eraseVersions: Eraser = async (tx, tenantId, contact) => {
  await deleteVersionsOf(tx, tenantId, contact.id);
  await forgetAddress(tx, tenantId, contact.email);
  await deleteMessagesOf(tx, tenantId, contact.email);
  // Their answers hold text that was rendered for somebody, in no form that could be searched.
  await forgetKeys(tx, tenantId, ['previewEmail', 'testSendEmail']);
};
