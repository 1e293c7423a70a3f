// `properties.unsubscribed` of a contact is true exactly while its address is suppressed as unsubscribed.
import type { Transaction } from '../../../db/database.js';
import type { Listener } from '../../../db/news.js';
import { type AddressHashes, restoreRefusals, type SetTopics } from '../../consent/index.js';
import { ContactBook, type ContactNews, selectContactsByIds } from '../../contacts/index.js';
import { findKept, selectReasons } from './queries.js';

const source = 'suppression';

/** A contact whose address was checked: its property before and now. */
export interface SettledContact {
  contactId: string;
  email: string;
  was: boolean;
  is: boolean;
}

/** Call under the tenant's lock. */
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

/**
 * A new contact may have an address that unsubscribed before, from everything or from topics: without a contact, or as another contact
 * that was erased. Both are checked in one query, because most tenants have neither.
 */
export function onContactsMade(hashes: AddressHashes, setTopics: SetTopics): Listener<ContactNews> {
  return async (tx, tenantId, contacts, now) => {
    const made = contacts.filter(({ what }) => what === 'created').map(({ contactId }) => contactId);
    if (made.length === 0) return;
    const { suppressed, refused } = await findKept(tx, tenantId);
    if (!suppressed && !refused) return;
    const hashOf = await hashes.of(tx, tenantId);
    const hashed = (await selectContactsByIds(tx, tenantId, made)).map(({ id: contactId, email }) => ({
      ...{ contactId, email, hash: hashOf(email) },
    }));
    if (refused) await restoreRefusals(tx, tenantId, hashed, setTopics, now);
    if (!suppressed) return;
    const reasons = await selectReasons(
      tx,
      tenantId,
      hashed.map(({ hash }) => hash),
    );
    const known = hashed.filter(({ hash }) => reasons.get(hash) === 'unsubscribed').map(({ email }) => email);
    await settleProperties(tx, tenantId, known, hashOf, now);
  };
}
