import type { Transaction } from '../../db/database.js';
import { parseJson } from '../../lib/parse-json.js';
import { type Actor, auditAtCommit } from '../audit/index.js';
import { type PendingWrite, scrubFailures, type WriteOutcome } from '../transactions/index.js';
import { eraseFromImports } from './import/erase-rows.js';
import { contactsChanged } from './news.js';
import { deleteContactRows, lockContact } from './queries.js';
import { OutcomeBuilder } from './results.js';

/**
 * Removes what another feature keeps about a person. Called under the tenant's lock, before the contact is deleted. Erasers run in no
 * particular order: one that needs another's rows to find its own learns about them as news.
 */
export type Eraser = (
  tx: Transaction,
  tenantId: number,
  contact: { id: string; email: string },
  now: string,
) => Promise<void>;

/** The payload of an erasure: whom to erase, and who asked. Payloads of older builds do not say who. */
interface Erasure extends Partial<Omit<Actor, 'tenantId'>> {
  contactId: string;
}

export function erasureOf(contactId: string, { accountId, address }: Actor): Erasure {
  return { contactId, accountId, address };
}

/** Erases a person everywhere. Results of older writes hold only the contact id, so they forget the person too. */
export async function eraseContact(
  tx: Transaction,
  tenantId: number,
  write: PendingWrite,
  erasers: readonly Eraser[],
  now: string,
): Promise<WriteOutcome> {
  const { contactId, accountId = null, address = null } = parseJson(write.payload) as Erasure;
  const outcome = new OutcomeBuilder();
  const contact = await lockContact(tx, tenantId, contactId);
  if (!contact) {
    outcome.failed(contactId, null, 'The contact was deleted before this write was applied.');
    return outcome.build();
  }
  for (const erase of erasers) await erase(tx, tenantId, { id: contactId, email: contact.email }, now);
  await deleteContactRows(tx, tenantId, contactId);
  await eraseFromImports(tx, tenantId, contact.email, write.seq);
  await scrubFailures(tx, tenantId, [contact.email]);
  await contactsChanged.tell(tx, tenantId, now, () => [{ contactId, what: 'erased', changes: [], logged: [] }]);
  auditAtCommit(tx, { tenantId, accountId, address }, 'contact.erased', contactId);
  outcome.applied('UPDATED', contactId);
  return outcome.build();
}
