// Changes of everything that a filter can read, as keys of Reads. Lists and journeys both use them.
import type { Transaction } from '../../../db/database.js';
import { type Hearing, hearing, type Listener, Topic } from '../../../db/news.js';
import { topicKey, topicsChanged } from '../../consent/index.js';
import { contactsChanged } from '../../contacts/index.js';
import { eventsStored } from '../../events/index.js';
import { membersChanged } from '../../lists/index.js';
import { membershipsChanged, organizationsChanged } from '../../organizations/index.js';
import { usersChanged } from '../../users/index.js';
import { selectContactsOfUsers } from './marks/queries.js';

/** What changed for a contact: keys as Reads has them. `everything` for one that is new. */
export interface Changed {
  contactId: string;
  keys: readonly string[] | 'everything';
}

/** The same for everyone in an organization. `members`: a contact joined or left it. */
export interface OrgChanged {
  orgId: string;
  keys: readonly string[] | 'members';
}

/** What registered subjects read has changed for these contacts: told by the features that brought them, through markChanged(). */
export const inputsChanged = new Topic<Changed>('inputs of filters');

/** What a listener's filters read. */
export interface InputReader {
  readonly isEmpty: boolean;
  /** The keys they read with this prefix: `user:` is every user property. */
  keysOf(prefix: string): readonly string[];
  /** They read which organizations a contact is in, or what the other members are like. */
  readonly readsMemberships: boolean;
  readonly countsMembers: boolean;
}

export interface Inputs {
  contacts?: readonly Changed[];
  orgs?: readonly OrgChanged[];
}

/** Listens to all of them. Listeners with nothing to read are skipped. */
export function hearInputs<Reader extends InputReader>(
  hold: (tx: Transaction, tenantId: number) => Promise<Reader>,
  take: (tx: Transaction, tenantId: number, reader: Reader, inputs: Inputs, now: string) => Promise<void>,
): Hearing[] {
  const listen =
    <Item>(
      inputsOf: (items: readonly Item[], reader: Reader, tx: Transaction, tenantId: number) => Promise<Inputs> | Inputs,
    ): Listener<Item> =>
    async (tx, tenantId, items, now) => {
      const reader = await hold(tx, tenantId);
      if (!reader.isEmpty) await take(tx, tenantId, reader, await inputsOf(items, reader, tx, tenantId), now);
    };
  const each = <Item>(map: (item: Item, reader: Reader) => Changed | undefined): Listener<Item> =>
    listen((items, reader) => ({ contacts: items.flatMap((item) => map(item, reader) ?? []) }));
  return [
    hearing(
      contactsChanged,
      each((news) => {
        const { contactId, what } = news;
        if (what === 'created') return { contactId, keys: 'everything' };
        // What is kept of a person goes with the contact: see the erasers.
        if (what === 'erased') return undefined;
        return { contactId, keys: ['contact:updatedAt', ...news.changes.map(({ field }) => `property:${field}`)] };
      }),
    ),
    hearing(
      usersChanged,
      each(({ contactId, what, changes }, reader) => {
        if (what === 'deleted') return { contactId, keys: [...reader.keysOf('user:'), 'orgs'] };
        return { contactId, keys: changes.map(({ field }) => `user:${field}`) };
      }),
    ),
    hearing(
      eventsStored,
      each(({ contactId, eventName }) => ({ contactId, keys: [`event:${eventName}`] })),
    ),
    hearing(
      membersChanged,
      each(({ contactId, listId }) => ({ contactId, keys: [`static:${listId}`] })),
    ),
    hearing(
      topicsChanged,
      each(({ contactId, topicId }) => ({ contactId, keys: [topicKey(topicId)] })),
    ),
    hearing(
      inputsChanged,
      each((changed) => changed),
    ),
    hearing(
      organizationsChanged,
      listen((items) => ({
        orgs: items.map(({ orgId, nameChanged, what, changes }) => ({
          orgId,
          keys: [
            ...(nameChanged || what === 'created' ? ['orgField:name'] : []),
            ...changes.map(({ field }) => `org:${field}`),
          ],
        })),
      })),
    ),
    hearing(
      membershipsChanged,
      listen(async (items, reader, tx, tenantId) => {
        if (!reader.readsMemberships) return {};
        const userIds = items.map(({ userId }) => userId);
        const contactIds = await selectContactsOfUsers(tx, tenantId, userIds);
        const orgIds = reader.countsMembers ? [...new Set(items.map(({ orgId }) => orgId))] : [];
        return {
          contacts: contactIds.map((contactId) => ({ contactId, keys: ['orgs'] })),
          orgs: orgIds.map((orgId) => ({ orgId, keys: 'members' })),
        };
      }),
    ),
  ];
}

/** Each contact once, with everything that changed for it. */
export function byContact(changed: readonly Changed[]): Map<string, Set<string> | 'everything'> {
  const keysOf = new Map<string, Set<string> | 'everything'>();
  for (const { contactId, keys } of changed) {
    const known = keysOf.get(contactId);
    if (keys === 'everything' || known === 'everything') keysOf.set(contactId, 'everything');
    else if (known) for (const key of keys) known.add(key);
    else keysOf.set(contactId, new Set(keys));
  }
  return keysOf;
}
