import { type Cause, Topic } from '../../db/news.js';
import type { Plan } from './plan-writes.js';
import type { Change, Properties, PropertyValue } from './properties.js';

/** What became of a contact. */
export interface ContactNews {
  contactId: string;
  what: 'created' | 'changed' | 'erased';
  /** Properties that changed, in the order of the writes; for a new contact all of them. */
  changes: readonly ContactChange[];
  /** As the activity log has it: of a new contact what was changed after it was made, by a later write of the same run. */
  logged: readonly ContactChange[];
}

interface ContactChange extends Change {
  /** When its write was acknowledged. */
  at: string;
  /** Of a change that a journey made. */
  cause?: Cause | undefined;
}

export const contactsChanged = new Topic<ContactNews>('contacts');

/** `now` stands for what was acknowledged at no time of its own. */
export function newsOf({ drafts, changes }: Pick<Plan, 'drafts' | 'changes'>, now: string): ContactNews[] {
  const changesOf = new Map<string, ContactChange[]>();
  for (const logged of changes) {
    const change = { ...logged, at: logged.at ?? now };
    const own = changesOf.get(change.contactId);
    if (own) own.push(change);
    else changesOf.set(change.contactId, [change]);
  }
  return drafts.map(({ id: contactId, isNew, properties }) => {
    const logged = changesOf.get(contactId) ?? none;
    return isNew
      ? created(contactId, logged, properties, now)
      : { contactId, what: 'changed', changes: logged, logged };
  });
}

const none: readonly ContactChange[] = [];

/** Its changes are made when a listener asks: most runs of new contacts have none that does, and they were a quarter of the work. */
function created(contactId: string, logged: readonly ContactChange[], properties: Properties, at: string): ContactNews {
  let made: ContactChange[] | undefined;
  return {
    contactId,
    what: 'created',
    logged,
    get changes() {
      made ??= allOf(properties).map((change) => ({ ...change, at }));
      return made;
    },
  };
}

/** Properties of something new, as changes. */
export function allOf(properties: Readonly<Record<string, PropertyValue>>): Change[] {
  return Object.entries(properties).map(([field, newValue]) => ({ field, oldValue: null, newValue }));
}
