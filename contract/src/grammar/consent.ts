// What can be said of a contact and a topic, and by whom. Data alone: it needs no TypeBox, and the console imports it.

/** What a topic is where a contact never said anything. */
export const topicDefaults = ['subscribed', 'unsubscribed'] as const;
/** What a contact can be to a topic. `pending`: asked by mail, not answered. */
export const topicStates = [...topicDefaults, 'pending'] as const;
export type TopicState = (typeof topicStates)[number];

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
