// Topics: what people agree to hear about; what each contact said of them, and how.
import { Type } from 'typebox';
import {
  type ConsentSource,
  consentSources,
  topicDefaults,
  topicStates,
  topicVisibilities,
} from './grammar/consent.js';
import { paging, search } from './params.js';
import { onlyV2, route } from './route.js';
import { AssetId, Count, Instant, Named, Nullable, Text, Words } from './schema.js';

const Source = Words(Object.keys(consentSources) as ConsentSource[], 'How it came about.');

export const Topic = Named('Topic', {
  topicId: AssetId(),
  key: Type.String({ description: 'Its name in contact writes and imports. It never changes.' }),
  name: Type.String(),
  description: Nullable(Type.String()),
  byDefault: Words(topicDefaults, 'The state of contacts who never said anything about it. It never changes.'),
  visibility: Words(topicVisibilities, 'Whether the preference page shows it to people who are not subscribed to it.'),
  doubleOptIn: Type.Boolean({ description: 'Whether a form asks by mail before it subscribes.' }),
  confirmEmailId: Nullable(AssetId('The email that asks. Null: a built-in one.')),
  subscribed: Count('Contacts who said so; the default aside.'),
  unsubscribed: Count('Contacts who said so; the default aside.'),
  pending: Count('Contacts who were asked by mail and have not answered.'),
  createdAt: Instant,
  updatedAt: Instant,
});

export const ContactTopic = Named('ContactTopic', {
  topicId: AssetId(),
  key: Type.String(),
  name: Type.String(),
  visibility: Words(topicVisibilities),
  state: Words(topicStates),
  since: Nullable(Instant, 'Null where it is the default.'),
  source: Nullable(Source, 'How it came about; null where it is the default.'),
});

export const ConsentEntry = Named('ConsentEntry', {
  at: Instant,
  topicId: AssetId(),
  state: Words(topicStates),
  source: Source,
  formId: Nullable(AssetId('Of a form and its confirmation.')),
  text: Nullable(Type.String(), 'The words that were agreed to, where they are known.'),
  accountId: Nullable(Type.Integer(), 'Whose token it was, of the API, an import and the console.'),
});

const tag = 'Topics';
const id = '019a8b2c4d5e6f708192a3d1';
const contactId = '019a8b2c4d5e7f708192a3b4c5d6e7f8';
const at = '2026-11-15T09:30:00.000Z';
const example = {
  ...{ topicId: id, key: 'product_news', name: 'Product news', description: 'What’s new, once a month.' },
  ...{ byDefault: 'unsubscribed', visibility: 'public', doubleOptIn: false, confirmEmailId: null },
  ...{ subscribed: 1200, unsubscribed: 31, pending: 0, createdAt: at, updatedAt: at },
};
const exampleState = {
  ...{ topicId: id, key: 'product_news', name: 'Product news', visibility: 'public' },
  ...{ state: 'subscribed', since: at, source: 'api' },
};
const pathParams = { topicId: 'Topic id, 24 hex digits.' };
const contactPath = { id: 'Contact id, 32 hex digits.' };

const Name = Text(80, { description: 'Unique in the workspace, whatever its case.' });
const Key = Type.String({
  ...{ pattern: '^[a-z0-9_]{1,40}$', form: 'must be 1 to 40 of a-z, 0-9 and _' },
  description: 'Unique in the workspace. Made from the name where it is left out.',
});
const Description = Type.String({ maxLength: 500, trim: true, description: 'For the people who choose.' });
const ConfirmEmailId = Type.String({ description: 'Id of an email. An unknown one is a 400.' });
const ByDefault = Words(topicDefaults, 'The state of contacts who never said anything about it.');

export const listTopics = route({
  id: 'listTopics',
  tag,
  method: 'GET',
  path: '/topics',
  versions: onlyV2,
  summary: 'List topics',
  description: 'Newest first.',
  query: { search, ...paging },
  snakeCase: true,
  data: Topic,
  paged: true,
  errors: [],
  example: { data: [example] },
});

export const createTopic = route({
  id: 'createTopic',
  tag,
  method: 'POST',
  path: '/topics',
  versions: onlyV2,
  summary: 'Create a topic',
  body: Named('TopicInput', {
    name: Name,
    key: Type.Optional(Key),
    description: Type.Optional(Nullable(Description)),
    byDefault: ByDefault,
    visibility: Type.Optional(Words(topicVisibilities, '`public` by default.')),
    doubleOptIn: Type.Optional(Type.Boolean({ description: 'False by default.' })),
    confirmEmailId: Type.Optional(Nullable(ConfirmEmailId)),
  }),
  data: Topic,
  paged: false,
  errors: ['TOPIC_ALREADY_EXISTS'],
  example: {
    body: { name: 'Product news', byDefault: 'unsubscribed', description: example.description },
    data: { ...example, subscribed: 0, unsubscribed: 0 },
  },
});

export const getTopic = route({
  id: 'getTopic',
  tag,
  method: 'GET',
  path: '/topics/{topicId}',
  versions: onlyV2,
  summary: 'Read a topic',
  pathParams,
  data: Topic,
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path: { topicId: id }, data: example },
});

export const updateTopic = route({
  id: 'updateTopic',
  tag,
  method: 'PATCH',
  path: '/topics/{topicId}',
  versions: onlyV2,
  summary: 'Change a topic',
  description:
    '`key` and `byDefault` never change: a different value is a 400, because another default would change what everyone agreed to. `doubleOptIn` is refused while an open form uses the topic and there is neither a `confirmEmailId` nor a sending domain to ask from.',
  pathParams,
  body: Named('TopicPatch', {
    name: Type.Optional(Name),
    key: Type.Optional(Type.String()),
    description: Type.Optional(Nullable(Description)),
    byDefault: Type.Optional(ByDefault),
    visibility: Type.Optional(Nullable(Words(topicVisibilities))),
    doubleOptIn: Type.Optional(Nullable(Type.Boolean())),
    confirmEmailId: Type.Optional(Nullable(ConfirmEmailId)),
  }),
  data: Topic,
  paged: false,
  errors: ['NOT_FOUND', 'TOPIC_ALREADY_EXISTS', 'INVALID_STATE'],
  example: { path: { topicId: id }, body: { name: 'Product news' }, data: example },
});

export const deleteTopic = route({
  id: 'deleteTopic',
  tag,
  method: 'DELETE',
  path: '/topics/{topicId}',
  versions: onlyV2,
  summary: 'Delete a topic',
  description:
    'The states of contacts are deleted, too; their consent logs keep them. Refused while an email, a form, a journey or a dynamic list uses it.',
  pathParams,
  data: Named('DeletedTopic', { topicId: AssetId(), success: Type.Boolean() }),
  paged: false,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: { path: { topicId: id }, data: { topicId: id, success: true } },
});

export const listContactTopics = route({
  id: 'listContactTopics',
  tag,
  method: 'GET',
  path: '/contacts/{id}/topics',
  versions: onlyV2,
  summary: 'List the topics of a contact, with its state for each',
  description: 'Every topic, by name.',
  pathParams: contactPath,
  data: Type.Array(ContactTopic),
  paged: false,
  errors: ['BAS-E-002'],
  example: { path: { id: contactId }, data: [exampleState] },
});

export const setContactTopic = route({
  id: 'setContactTopic',
  tag,
  method: 'PUT',
  path: '/contacts/{id}/topics/{topicId}',
  versions: onlyV2,
  summary: 'Subscribe a contact to a topic, or unsubscribe it',
  description: 'Takes effect at once. The caller vouches for the consent, so no mail asks for confirmation.',
  pathParams: { ...contactPath, ...pathParams },
  body: Named('ContactTopicInput', {
    state: Words(topicDefaults),
    text: Type.Optional(Nullable(Text(1000, { description: 'The words that were agreed to, for the consent log.' }))),
  }),
  data: ContactTopic,
  paged: false,
  errors: ['BAS-E-002', 'NOT_FOUND'],
  example: { path: { id: contactId, topicId: id }, body: { state: 'subscribed' }, data: exampleState },
});

export const listConsentLog = route({
  id: 'listConsentLog',
  tag,
  method: 'GET',
  path: '/contacts/{id}/consent-log',
  versions: onlyV2,
  summary: 'List how a contact’s consent came about',
  description: 'Every change, newest first. Setting the state that a contact already has is not a change.',
  pathParams: contactPath,
  query: paging,
  data: ConsentEntry,
  paged: true,
  errors: ['BAS-E-002'],
  example: {
    path: { id: contactId },
    data: [{ at, topicId: id, state: 'subscribed', source: 'api', formId: null, text: null, accountId: 1 }],
  },
});

export const topicRoutes = [
  listTopics,
  createTopic,
  getTopic,
  updateTopic,
  deleteTopic,
  listContactTopics,
  setContactTopic,
  listConsentLog,
] as const;
