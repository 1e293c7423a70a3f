import { inPages } from '../../../db/in-pages.js';
import { type Eraser, exporter } from '../../contacts/index.js';
import type { Filters } from './filters.js';
import {
  type AudienceOfContact,
  deleteContactFromLists,
  insertChanges,
  selectAudiencesAfter,
} from './marks/queries.js';
import { audiencesChanged } from './news.js';

/**
 * Removes what dynamic lists keep of a contact. A worker that read the contact before may store it right after: the mark makes the next
 * turn find a member without a contact, and remove it. Neither waits for the other, so there is no deadlock.
 */
export function eraseFromAudiences(filters: Filters, onMarked: () => void): Eraser {
  return async (tx, tenantId, { id: contactId }, now) => {
    const interest = await filters.hold(tx, tenantId);
    if (interest.isEmpty) return;
    const gone = await deleteContactFromLists(tx, tenantId, contactId);
    await insertChanges(tx, tenantId, [{ contactId, listNos: [], orgListNos: [] }], now);
    tx.afterCommit(onMarked);
    await audiencesChanged.tell(tx, tenantId, now, () =>
      gone.flatMap(({ listNo }) => {
        const list = interest.lists.get(listNo);
        return list ? { listId: list.listId, contactId, what: 'left' } : [];
      }),
    );
  };
}

/** The same for the right of access. */
export const audienceSection = exporter('dynamicLists', (db, tenantId, { id }) =>
  inPages(500, (after: AudienceOfContact | undefined, size) =>
    selectAudiencesAfter(db, tenantId, id, after?.listNo, size),
  ),
);
