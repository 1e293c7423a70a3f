// What can start a journey, once; see steps.ts.

/** What makes contacts enter, by the key that an entry has. */
export const entryKinds = {
  audience: {
    of: 'batch',
    title: 'Members of a list',
    does: 'A run enrolls the members of that moment. Without a schedule it runs once, on activation.',
  },
  event: { of: 'trigger', title: 'Event', does: 'An event of the contact.' },
  joined: {
    of: 'trigger',
    title: 'Joins a list',
    does: 'Someone joined the list. The members that a new list starts with have not joined.',
  },
  left: { of: 'trigger', title: 'Leaves a list', does: 'Someone left the list.' },
  propertyChanged: { of: 'trigger', title: 'Property changes', does: 'A property of the contact changed.' },
  topic: {
    of: 'trigger',
    title: 'Topic changes',
    does: 'The contact became subscribed to a topic, unsubscribed from it, or pending.',
  },
  form: {
    of: 'trigger',
    title: 'Form submitted',
    does: 'The contact submitted a form. A form with double opt-in counts once it is confirmed.',
  },
  date: { of: 'trigger', title: 'Date arrives', does: 'A date in a property of the contact arrives.' },
  api: {
    of: 'trigger',
    title: 'Manual or API enrollment',
    does: 'Only contacts that are enrolled manually or by another journey.',
  },
} as const;

export type EntryKind = keyof typeof entryKinds;
export type TriggerKind = Exclude<EntryKind, 'audience'>;
export const triggerKinds = (Object.keys(entryKinds) as EntryKind[]).filter(
  (kind): kind is TriggerKind => entryKinds[kind].of === 'trigger',
);
