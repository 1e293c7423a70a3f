// What an erasure removes, what outlives it, and how that comes back with the address.

import type { Transaction } from '../../db/database.js';
import { inPages } from '../../db/in-pages.js';
import { type Eraser, exporter } from '../contacts/index.js';
import type { AddressHashes } from './address-hashes.js';
import { takeRefusals } from './refusals/queries.js';
import type { SetTopics } from './set-topics.js';
import { forgetStates, type NumberedEntry, selectContactTopics, selectLogAfter } from './states/queries.js';

export function consentEraser(hashes: AddressHashes): Eraser {
  return async (tx, tenantId, { id, email }) => {
    await forgetStates(tx, tenantId, id, (await hashes.of(tx, tenantId))(email));
  };
}

export const consentSections = [
  exporter('topics', async function* (db, tenantId, { id }) {
    yield* (await selectContactTopics(db, tenantId, id)).filter(({ since }) => since !== null);
  }),
  exporter('consentLog', (db, tenantId, { id }) =>
    inPages(500, (after: NumberedEntry | undefined, size) => selectLogAfter(db, tenantId, id, after?.logNo, size)),
  ),
];

/** Contacts that were just made, with a hash of their address, are unsubscribed from what that address had unsubscribed from. */
export async function restoreRefusals(
  tx: Transaction,
  tenantId: number,
  made: readonly { contactId: string; hash: string }[],
  setTopics: SetTopics,
  now: string,
): Promise<void> {
  const contactOf = new Map(made.map(({ contactId, hash }) => [hash, contactId]));
  const kept = await takeRefusals(tx, tenantId, [...contactOf.keys()]);
  const changes = kept.map(({ hash, topicId, since, source }) => ({
    ...{ contactId: contactOf.get(hash) as string, topicId, source, at: since },
    ...{ state: 'unsubscribed' as const, isToldElsewhere: true, isRestored: true },
  }));
  await setTopics(tx, tenantId, changes, now);
}
