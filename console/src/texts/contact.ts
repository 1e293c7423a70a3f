// The page of one contact.
import type { MarketingEventName } from '@rapport/contract';
import type { Tone } from '../theme/tone.ts';
import { sources as topicSources } from './topics.ts';

const quoted = (subject: string | null) => (subject === null ? 'an email' : `“${subject}”`);

export const mail: Record<MarketingEventName, { title: (subject: string | null) => string; tone: Tone }> = {
  sent: { title: (subject) => `Was sent ${quoted(subject)}`, tone: 'info' },
  delivered: { title: (subject) => `Received ${quoted(subject)}`, tone: 'good' },
  opened: { title: (subject) => `Opened ${quoted(subject)}`, tone: 'good' },
  clicked: { title: (subject) => `Clicked a link in ${quoted(subject)}`, tone: 'good' },
  bounced: { title: (subject) => `${quoted(subject)} bounced`, tone: 'bad' },
  unsubscribed: { title: (subject) => `Unsubscribed from ${quoted(subject)}`, tone: 'warn' },
  complained: { title: (subject) => `Reported ${quoted(subject)} as spam`, tone: 'bad' },
};

/** For a message that was not handed to a mail server. */
export const keptTitle = (subject: string | null) => `${quoted(subject)} was kept in the outbox`;

/** What happened on the way through a journey. */
export const steps: Record<string, string> = {
  entered: 'Entered',
  step: 'Reached a step',
  waiting: 'Waiting',
  branch: 'Took a branch',
  split: 'Random split',
  message: 'Message',
  webhook: 'Webhook',
  property: 'Property updated',
  list: 'List',
  event: 'Event',
  goal: 'Reached the goal',
  moved: 'Moved to another version',
  completed: 'Completed',
  exited: 'Exited early',
};

/** What changed a property, by its name in the API. */
export const changeSources: Readonly<Record<string, string>> = {
  ...topicSources,
  segment: 'Segment',
  suppression: 'Suppression',
  user: 'Product user',
};

export const enrolmentStates: Record<string, { label: string; tone: Tone }> = {
  active: { label: 'In progress', tone: 'info' },
  completed: { label: 'Completed', tone: 'good' },
  exited: { label: 'Exited early', tone: 'quiet' },
};

export const tabs = {
  activity: 'Activity',
  lists: 'Lists',
  topics: 'Topics',
  journeys: 'Journeys',
  messages: 'Messages',
  versions: 'Email versions',
  changes: 'Change log',
};

export const kinds = { all: 'All', product: 'Product', mail: 'Email', changes: 'Properties', journeys: 'Journeys' };

export const t = {
  actions: 'More actions',
  activity: 'Activity',
  add: 'Add property',
  all: 'Contacts',
  byMachine: 'Automated, such as an email scanner',
  changed: (field: string) => `${field} changed`,
  changes: 'Property changes',
  contact: 'Contact',
  created: 'Contact created',
  createdAt: 'Created',
  edit: (key: string) => `Edit ${key}`,
  emptyActivity: 'No activity yet',
  emptyActivityText: 'Product events, emails, property changes and journeys appear here.',
  emptyChanges: 'No changes yet',
  emptyChangesText: 'Every property change appears here, with its source.',
  emptyJourneys: 'No journeys yet',
  emptyJourneysText: 'Ask “Why?” to see what keeps them out of one.',
  emptyKind: 'Nothing here yet',
  emptyKindText: 'Choose another type above.',
  emptyLists: 'Not in any list',
  emptyListsText: 'Add them to a static list, or create a dynamic list they match.',
  emptyMessages: 'No messages yet',
  emptyMessagesText: 'Every email sent to this contact appears here.',
  emptyProperties: 'No properties yet.',
  emptyVersions: 'No personalized versions',
  emptyVersionsText: 'This contact gets the default content of every email.',
  entered: (journey: string) => `Entered “${journey}”`,
  entryEnded: (journey: string, isDone: boolean) => (isDone ? `Completed “${journey}”` : `Exited “${journey}” early`),
  enteredAt: 'Entered',
  endedAt: 'Ended',
  erase: 'Erase contact',
  eraseConfirm: 'Erase permanently',
  erased: (email: string) => `${email} was erased.`,
  eraseField: (email: string) => `Type ${email} to confirm`,
  eraseText:
    'This permanently removes their properties, events, messages, journeys and versions. A suppressed address stays suppressed.',
  eraseTitle: 'Erase this contact?',
  expires: 'Expires',
  explain: 'Reason',
  explainOf: (name: string) => `Why in ${name}`,
  export: 'Export all data',
  exporting: 'Exporting…',
  field: 'Property',
  filterProperties: 'Find a property',
  getsMail: 'Can get email',
  goal: (journey: string) => `Reached the goal of “${journey}”`,
  isStale: 'The list is catching up: membership will change shortly.',
  joined: 'Joined',
  journey: 'Journey',
  key: 'Name',
  keyExample: 'favorite_color',
  keyFault: 'Use lowercase letters, digits and _, such as favorite_color.',
  keyTaken: 'A property with this name already exists.',
  kinds: 'Activity types',
  list: 'List',
  listKind: 'Type',
  listKinds: { static: 'Static', dynamic: 'Dynamic' },
  newValue: 'New value',
  noReason: 'Added to this static list manually, by a journey or through the API.',
  notANumber: 'Enter a number.',
  notSet: 'not set',
  oldValue: 'Old value',
  parts: 'Contact sections',
  platform: 'Set by Rapport when someone unsubscribes.',
  properties: 'Properties',
  reason: 'Reason',
  remove: 'Remove',
  removed: (key: string) => `${key} was removed.`,
  save: 'Save',
  saved: (key: string) => `${key} was saved.`,
  someJourney: 'a journey',
  someEmail: 'An email',
  source: 'Source',
  state: 'Status',
  stepOf: (what: string, step: string | undefined) => (step ? `${what}: ${step}` : what),
  step: 'Step',
  suppress: 'Suppress address',
  suppressConfirm: 'Suppress',
  suppressText:
    'No more email goes to this address, not even transactional email. You can undo this under Suppressions.',
  suppressTitle: (email: string) => `Suppress ${email}?`,
  updated: 'Updated',
  value: 'Value',
  valueKind: 'Value type',
  valueKinds: { text: 'Text', number: 'Number', boolean: 'Yes or no', list: 'List' },
  listHint: 'One per line',
  version: 'Subject',
  versionOwn: 'Default subject',
  versionStatus: { ready: 'Ready', expired: 'Expired' },
  when: 'When',
  why: 'Why?',
  yes: 'Yes',
  no: 'No',
};
