// Property writes of other features' appliers: a step of a journey that sets one.
import type { Transaction } from '../../db/database.js';
import type { Cause } from '../../db/news.js';
import { ContactBook } from './contact-book.js';
import type { Properties } from './properties.js';

interface OwnChange {
  readonly contactId: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** Who says so, as the activity log shows it. */
  readonly source: string;
  /** When the write was acknowledged. */
  readonly at: string;
  readonly cause?: Cause | undefined;
}

interface OwnChanges {
  /** Why each could not be applied, undefined where it could. */
  readonly errors: readonly (string | undefined)[];
  /** What a contact has now, of those that these changes name. Nothing: there is no such contact. */
  propertiesOf(contactId: string): Properties | undefined;
}

/**
 * Applies them in order, with the rules, the activity log and the news of any write. Under the tenant's lock. Keys that cannot be
 * stored are passed over, as in any write.
 */
export async function applyOwnChanges(
  tx: Transaction,
  tenantId: number,
  changes: readonly OwnChange[],
  now: string,
): Promise<OwnChanges> {
  if (changes.length === 0) return { errors: [], propertiesOf: () => undefined };
  const ids = changes.map(({ contactId }) => contactId);
  const book = await ContactBook.open(tx, tenantId, [], ids);
  const errors = changes.map(({ contactId, properties, source, at, cause }) => {
    book.asOf(at, cause);
    return book.change(contactId, properties, source);
  });
  await book.store(tx, tenantId, now);
  return { errors, propertiesOf: (contactId) => book.propertiesOf(contactId) };
}
