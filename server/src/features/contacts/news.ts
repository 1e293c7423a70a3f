import { Topic } from '../../db/news.js';
import type { Draft, Plan } from './plan-writes.js';
import type { Change, PropertyValue } from './properties.js';

/** What became of a contact. */
export interface ContactNews {
  contactId: string;
  what: 'created' | 'changed' | 'erased';
  /** Properties that have another value now, in the order of the writes; of a new contact all that it has. */
  changes: readonly Change[];
}

export const contactsChanged = new Topic<ContactNews>('contacts');

export function newsOf({ drafts, changes }: Pick<Plan, 'drafts' | 'changes'>): ContactNews[] {
  const changesOf = new Map<string, Change[]>();
  for (const change of changes) {
    const own = changesOf.get(change.contactId);
    if (own) own.push(change);
    else changesOf.set(change.contactId, [change]);
  }
  return drafts.map(({ id, isNew, properties }: Draft) => ({
    contactId: id,
    what: isNew ? 'created' : 'changed',
    changes: isNew ? allOf(properties) : (changesOf.get(id) ?? []),
  }));
}

/** Properties of something new, as changes. */
export function allOf(properties: Readonly<Record<string, PropertyValue>>): Change[] {
  return Object.entries(properties).map(([field, newValue]) => ({ field, oldValue: null, newValue }));
}
