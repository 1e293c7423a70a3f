// Property writes by appliers of other features, such as a journey step that sets a property.
import type { Transaction } from '../../db/database.js';
import type { Cause } from '../../db/news.js';
import { ContactBook } from './contact-book.js';
import type { Properties } from './properties.js';

interface OwnChange {
  readonly contactId: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** The source that the activity log shows. */
  readonly source: string;
  /** When the write was acknowledged. */
  readonly at: string;
  readonly cause?: Cause | undefined;
}

interface OwnChanges {
  /** Why each change could not be applied; undefined if it was. */
  readonly errors: readonly (string | undefined)[];
  /** The current properties of a contact that the changes name; undefined if the contact does not exist. */
  propertiesOf(contactId: string): Properties | undefined;
}

/**
 * Applies the changes in order, with the same rules, activity log and news as any write. Call under the tenant's lock. Keys that
 * cannot be stored are skipped, as in any write.
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
