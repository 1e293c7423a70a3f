// The states of a contact for a topic, and who can set them. Data alone: it needs no TypeBox, and the console imports it.

/** What a topic is where a contact never said anything. */
export const topicDefaults = ['subscribed', 'unsubscribed'] as const;
/** What a contact can be to a topic. `pending`: asked by mail, not answered. */
export const topicStates = [...topicDefaults, 'pending'] as const;
export type TopicState = (typeof topicStates)[number];

/** Before the name of the topic, after `is` or `is not`. */
export const topicStateWords: Readonly<Record<TopicState, string>> = {
  subscribed: 'subscribed to',
  unsubscribed: 'unsubscribed from',
  pending: 'pending for',
};

/** Who sees a topic that they are not subscribed to: everyone, on the preference page, or no one. */
export const topicVisibilities = ['public', 'private'] as const;

/** How a change came about, each with its words. */
export const consentSources = {
  form: 'form',
  confirmation: 'confirmation by mail',
  page: 'preference page',
  oneClick: 'one-click unsubscribe',
  api: 'API',
  import: 'import',
  journey: 'journey',
  person: 'console',
} as const;
export type ConsentSource = keyof typeof consentSources;

/** What a contact is to a topic. `since` and `source` are null where it is the topic's default. */
export interface TopicStanding {
  readonly name: string;
  readonly state: TopicState;
  readonly since: string | null;
  readonly source: ConsentSource | null;
}

/** Whether mail of the topic may leave, after the name of the contact: `is not subscribed to News since 3 May (preference page)`. */
export function sayStanding({ name, state, since, source }: TopicStanding, day: (at: string) => string): string {
  const how =
    source === null ? ' by default' : `${since === null ? '' : ` since ${day(since)}`} (${consentSources[source]})`;
  const asked = state === 'pending' ? ': they were asked to confirm and have not answered' : '';
  return `is ${state === 'subscribed' ? '' : 'not '}subscribed to ${name}${how}${asked}`;
}
