// Hears of everything that a filter can read, and leaves a mark for the lists that have to look.
import type { Transaction } from '../../../db/database.js';
import { type Hearing, hearing, type Listener } from '../../../db/news.js';
import { contactsChanged } from '../../contacts/index.js';
import { eventsStored } from '../../events/index.js';
import { membersChanged } from '../../lists/index.js';
import { membershipsChanged, organizationsChanged } from '../../organizations/index.js';
import { usersChanged } from '../../users/index.js';
import type { Filters } from './filters.js';
import type { Interest } from './interest.js';
import {
  insertChanges,
  insertOrgChanges,
  type MarkedContact,
  type MarkedOrg,
  noList,
  selectContactsOfUsers,
} from './marks/queries.js';

/** What changed for a contact: keys as Reads has them. `everything` for one that is new. */
export interface Changed {
  contactId: string;
  keys: readonly string[] | 'everything';
}

/** Leaves a mark for each contact that a list reads something of. */
export type MarkChanged = (
  tx: Transaction,
  tenantId: number,
  changed: readonly Changed[],
  now: string,
) => Promise<void>;

export interface Marks {
  hears: readonly Hearing[];
  markChanged: MarkChanged;
}

/** `onMarked` is called once a transaction that left marks has committed. */
export function marks(filters: Filters, onMarked: () => void): Marks {
  const marking =
    <Item>(
      mark: (interest: Interest, items: readonly Item[], tx: Transaction, tenantId: number) => Promise<Found> | Found,
    ) =>
    async (tx: Transaction, tenantId: number, items: readonly Item[], now: string): Promise<void> => {
      const interest = await filters.hold(tx, tenantId);
      if (interest.isEmpty) return;
      const { contacts = [], orgs = [] } = await mark(interest, items, tx, tenantId);
      if (contacts.length > 0) await insertChanges(tx, tenantId, contacts, now);
      if (orgs.length > 0) await insertOrgChanges(tx, tenantId, orgs, now);
      if (contacts.length + orgs.length > 0) tx.afterCommit(onMarked);
    };
  const on = <Item>(map: (item: Item, interest: Interest) => Changed | undefined): Listener<Item> =>
    marking<Item>((interest, items) => ({
      contacts: concernedContacts(
        interest,
        items.flatMap((item) => map(item, interest) ?? []),
      ),
    }));
  return {
    markChanged: marking<Changed>((interest, changed) => ({ contacts: concernedContacts(interest, changed) })),
    hears: [
      hearing(
        contactsChanged,
        on(({ contactId, what, changes }) => {
          if (what === 'created') return { contactId, keys: 'everything' };
          // Its members and moments go with the contact: see erase.ts.
          if (what === 'erased') return undefined;
          return { contactId, keys: ['contact:updatedAt', ...changes.map(({ field }) => `property:${field}`)] };
        }),
      ),
      hearing(
        usersChanged,
        on(({ contactId, what, changes }, interest) => {
          const keys = what === 'deleted' ? interest.keysOf('user:') : changes.map(({ field }) => `user:${field}`);
          return { contactId, keys: what === 'deleted' ? [...keys, 'orgs'] : keys };
        }),
      ),
      hearing(
        eventsStored,
        on(({ contactId, eventName }) => ({ contactId, keys: [`event:${eventName}`] })),
      ),
      hearing(
        membersChanged,
        on(({ contactId, listId }) => ({ contactId, keys: [`static:${listId}`] })),
      ),
      hearing(
        organizationsChanged,
        marking((interest, items) => ({
          orgs: items.flatMap((item) =>
            concernedOrg(interest, item.orgId, [
              ...(item.nameChanged || item.what === 'created' ? ['orgField:name'] : []),
              ...item.changes.map(({ field }) => `org:${field}`),
            ]),
          ),
        })),
      ),
      hearing(
        membershipsChanged,
        marking(async (interest, items, tx, tenantId) => {
          if (interest.counting.length === 0 && interest.concerned(['orgs']).listNos.length === 0) return {};
          const contactIds = await selectContactsOfUsers(
            tx,
            tenantId,
            items.map(({ userId }) => userId),
          );
          return {
            contacts: concernedContacts(
              interest,
              contactIds.map((contactId) => ({ contactId, keys: ['orgs'] })),
            ),
            orgs:
              interest.counting.length === 0
                ? []
                : [...new Set(items.map(({ orgId }) => orgId))].map((orgId) => ({
                    orgId,
                    listNos: interest.counting,
                    orgListNos: [],
                  })),
          };
        }),
      ),
    ],
  };
}

interface Found {
  contacts?: readonly MarkedContact[];
  orgs?: readonly MarkedOrg[];
}

/** Each contact once, with the lists that read something of what changed. */
function concernedContacts(interest: Interest, changed: readonly Changed[]): MarkedContact[] {
  const keysOf = new Map<string, Set<string> | 'everything'>();
  for (const { contactId, keys } of changed) {
    const known = keysOf.get(contactId);
    if (keys === 'everything' || known === 'everything') keysOf.set(contactId, 'everything');
    else if (known) for (const key of keys) known.add(key);
    else keysOf.set(contactId, new Set(keys));
  }
  const marked: MarkedContact[] = [];
  for (const [contactId, keys] of keysOf) {
    if (keys === 'everything') marked.push({ contactId, listNos: [], orgListNos: [] });
    else {
      const { listNos, orgListNos } = interest.concerned(keys);
      if (listNos.length + orgListNos.length > 0)
        marked.push({ contactId, listNos: listNos.length > 0 ? listNos : noList, orgListNos });
    }
  }
  return marked;
}

function concernedOrg(interest: Interest, orgId: string, keys: readonly string[]): MarkedOrg[] {
  const { listNos, orgListNos } = interest.concerned(keys);
  return listNos.length + orgListNos.length > 0
    ? [{ orgId, listNos: listNos.length > 0 ? listNos : noList, orgListNos }]
    : [];
}
