// `properties.unsubscribed` of a contact is true exactly while its address is suppressed as unsubscribed.
import type { Transaction } from '../../../db/database.js';
import type { Listener } from '../../../db/news.js';
import { ContactBook, type ContactNews, selectContactsByIds } from '../../contacts/index.js';
import type { AddressHashes } from './addresses.js';
import { hasSuppressions, selectReasons } from './queries.js';

const source = 'suppression';

/** A contact whose address was looked at: what its property was, and is. */
export interface SettledContact {
  contactId: string;
  email: string;
  was: boolean;
  is: boolean;
}

/** Under the tenant's lock. */
export async function settleProperties(
  tx: Transaction,
  tenantId: number,
  addresses: readonly string[],
  hashOf: (address: string) => string,
  now: string,
): Promise<SettledContact[]> {
  if (addresses.length === 0) return [];
  const reasons = await selectReasons(tx, tenantId, addresses.map(hashOf));
  const book = await ContactBook.open(tx, tenantId, addresses);
  const settled: SettledContact[] = [];
  for (const email of addresses) {
    const contactId = book.find(email);
    if (contactId === undefined) continue;
    const isSo = () => book.propertyOf(email, 'unsubscribed') === true;
    const was = isSo();
    const isUnsubscribed = reasons.get(hashOf(email)) === 'unsubscribed';
    book.setOwn(contactId, { unsubscribed: isUnsubscribed ? true : null }, source);
    settled.push({ contactId, email, was, is: isSo() });
  }
  await book.store(tx, tenantId, now);
  return settled;
}

/** A new contact may have an address that unsubscribed before: while it had no contact, or had another that was erased. */
export function onContactsMade(hashes: AddressHashes): Listener<ContactNews> {
  return async (tx, tenantId, contacts, now) => {
    const made = contacts.filter(({ what }) => what === 'created').map(({ contactId }) => contactId);
    if (made.length === 0 || !(await hasSuppressions(tx, tenantId))) return;
    const hashOf = await hashes.of(tx, tenantId);
    const rows = await selectContactsByIds(tx, tenantId, made);
    const reasons = await selectReasons(
      tx,
      tenantId,
      rows.map(({ email }) => hashOf(email)),
    );
    const known = rows.map(({ email }) => email).filter((email) => reasons.get(hashOf(email)) === 'unsubscribed');
    await settleProperties(tx, tenantId, known, hashOf, now);
  };
}
