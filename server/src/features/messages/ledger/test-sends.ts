// Test sends are in the ledger beside real messages, so that there is one place to look for "was it sent?". They are
// not queued or tracked, and are in no figures or timeline.
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../../db/database.js';
import { parseEmail } from '../../contacts/index.js';
import type { TestSendNote } from '../../email-versions/index.js';
import { messageIdIn } from '../notices.js';
import { insertTestSend } from './queries.js';

/** A test that cannot be recorded has been sent all the same, so the error goes to the log, not to the caller. */
export function noteTestSends(db: Database, log: FastifyBaseLogger): TestSendNote {
  return async (tenantId, { messageId, to, contact, ...test }) => {
    const address = parseEmail(to) ?? to;
    const row = {
      ...test,
      messageId: messageIdIn(messageId) as string,
      address,
      contactId: contact?.email === address ? contact.id : null,
      madeFor: contact?.id ?? null,
    };
    // In one transaction: it waits for an erasure in progress.
    await db
      .transaction((tx) => insertTestSend(tx, tenantId, row))
      .catch((err: Error) => log.warn({ err, tenantId }, 'a test send is not in the ledger'));
  };
}
