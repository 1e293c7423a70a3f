import type { Transaction } from '../../../db/database.js';
import { applyOwnChanges } from '../../contacts/index.js';
import { accept, propertiesOf } from '../submissions/apply-submissions.js';
import { selectConfirmed } from './queries.js';

/** The person has shown that the address is theirs: what they sent counts, also over what was known of them. */
export async function applyConfirmations(
  tx: Transaction,
  tenantId: number,
  ids: readonly string[],
  now: string,
): Promise<void> {
  const confirmed = await selectConfirmed(tx, tenantId, ids);
  const changes = confirmed.map((each) => ({
    ...{ contactId: each.contactId, properties: propertiesOf(each), source: 'form', at: now },
  }));
  await applyOwnChanges(tx, tenantId, changes, now);
  await accept(tx, tenantId, confirmed, now);
}
