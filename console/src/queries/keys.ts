// The names under which answers of the API are remembered. One place, so that whoever changes something knows what to ask for anew:
// `invalidateQueries({ queryKey: keys.emails.all })` reaches every list, page and figure of emails.
type Part = string | number | object | undefined;

/** `all` is the beginning of every key of a subject. */
function subject<const Name extends string>(name: Name) {
  return {
    all: [name] as const,
    list: (query: object = {}) => [name, 'list', query] as const,
    one: (id: Part) => [name, 'one', id] as const,
    /** Something that belongs to one: its activity, members, statistics. */
    of: (id: Part, what: string, query: object = {}) => [name, 'one', id, what, query] as const,
    /** Something of the subject as a whole: suggestions, a preview, figures. */
    any: (what: string, query: object = {}) => [name, 'any', what, query] as const,
  };
}

export const keys = {
  me: ['me'] as const,
  health: ['health'] as const,
  sending: ['sending'] as const,
  contacts: subject('contacts'),
  organizations: subject('organizations'),
  lists: subject('lists'),
  dynamicLists: subject('dynamicLists'),
  properties: subject('properties'),
  events: subject('events'),
  imports: subject('imports'),
  ingestLog: subject('ingestLog'),
  webhooks: subject('webhooks'),
  emails: subject('emails'),
  variables: ['variables'] as const,
  folders: subject('folders'),
  messages: subject('messages'),
  outbox: subject('outbox'),
  suppressions: subject('suppressions'),
  journeys: subject('journeys'),
  why: (query: object) => ['why', query] as const,
  stats: subject('stats'),
  workspace: subject('workspace'),
  people: subject('people'),
  tokens: subject('tokens'),
  apps: subject('apps'),
  audit: subject('audit'),
};
