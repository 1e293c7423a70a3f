// Topics: what contacts agree to hear about, on their own page and on the page of a contact.
import type { ConsentSource, TopicState } from '@rapport/contract';
import type { Tone } from '../theme/tone.ts';

export const states: Record<TopicState, { label: string; tone: Tone }> = {
  subscribed: { label: 'Subscribed', tone: 'good' },
  unsubscribed: { label: 'Unsubscribed', tone: 'quiet' },
  pending: { label: 'Pending confirmation', tone: 'warn' },
};

export const sources: Record<ConsentSource, string> = {
  form: 'Form',
  confirmation: 'Confirmation link',
  page: 'Preference page',
  oneClick: 'One-click unsubscribe',
  api: 'API',
  import: 'Import',
  journey: 'Journey',
  person: 'Console',
};

export const defaults = {
  unsubscribed: 'Only contacts who subscribe',
  subscribed: 'Everyone who hasn’t unsubscribed',
};

export const visibilities = {
  public: 'Public: everyone can choose it',
  private: 'Private: only subscribers see it',
};

export const t = {
  builtIn: 'Built-in email',
  byDefault: 'Who gets its emails',
  byDefaultText: 'This can’t be changed later, because it would change what people agreed to.',
  confirmEmailId: 'Confirmation email',
  confirmEmailText: 'It must contain {{confirm_url}}.',
  countText: 'Contacts for whom this was chosen. The default applies to everyone else.',
  create: 'Create topic',
  createTitle: 'New topic',
  defaultState: 'Default',
  delete: 'Delete topic',
  deleteText:
    'Contacts’ choices for this topic are deleted; their consent logs stay. First remove the topic from all emails, forms, journeys and lists that use it.',
  deleteTitle: (name: string) => `Delete “${name}”?`,
  deleted: (name: string) => `“${name}” was deleted.`,
  description: 'Description',
  descriptionText: 'Shown on the preference page.',
  doubleOptIn: 'Double opt-in',
  doubleOptInText: 'When a form subscribes someone, an email asks them to confirm.',
  edit: 'Edit topic',
  editTitle: (name: string) => `Edit “${name}”`,
  emptyLog: 'No changes yet',
  emptyLogText: 'Every change to a subscription appears here, with its source.',
  emptyTopics: 'No topics yet',
  emptyTopicsText:
    'Create a topic, then choose it in your emails. Contacts can unsubscribe from one topic and stay subscribed to others.',
  key: 'Key',
  keyText: 'Its name in the API and in imports. Based on the name if left empty. It can’t be changed later.',
  lead: 'What contacts agree to hear about. Each email can belong to one topic.',
  log: 'Consent log',
  more: (name: string) => `More actions for ${name}`,
  name: 'Name',
  nameWanted: 'Enter a name.',
  newTopic: 'New topic',
  no: 'No',
  noMatch: 'No topics match',
  noMatchText: 'Try a shorter search.',
  noTopic: 'No topic',
  noTopicText: 'Without a topic, unsubscribing from this email stops all email.',
  pending: 'Pending confirmation',
  removedTopic: 'Deleted topic',
  search: 'Search topics',
  searchHint: 'Search by name',
  saved: 'Topic saved.',
  save: 'Save',
  since: 'Since',
  source: 'Source',
  state: 'Status',
  subscribe: 'Subscribe',
  subscribeOf: (name: string) => `Subscribe to ${name}`,
  subscribed: 'Subscribed',
  text: 'Wording',
  topic: 'Topic',
  topics: 'Topics',
  unsubscribe: 'Unsubscribe',
  unsubscribeOf: (name: string) => `Unsubscribe from ${name}`,
  unsubscribed: 'Unsubscribed',
  visibility: 'Visibility',
  visible: { public: 'Public', private: 'Private' },
  when: 'When',
  yes: 'Yes',
};
