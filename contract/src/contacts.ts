import { Type } from 'typebox';
import { importContacts } from './contact-import.js';
import { topicDefaults } from './grammar/consent.js';
import { choice, filterParam, paging, search } from './params.js';
import { both, onlyV2, route } from './route.js';
import {
  ChangedValue,
  CheckedLater,
  ContactId,
  EmailText,
  Instant,
  Named,
  Properties,
  StoredProperties,
  Words,
} from './schema.js';
import { Acknowledgement, exampleAcknowledgement, WriteTransaction } from './transactions.js';

export const Contact = Named('Contact', {
  id: ContactId('32 hex digits.'),
  email: Type.String(),
  properties: StoredProperties,
  createdAt: Instant,
  updatedAt: Instant,
});

export const PropertyChange = Named('PropertyChange', {
  field: Type.String(),
  oldValue: ChangedValue('Null when the property was not set.'),
  newValue: ChangedValue('Null when the property was removed.'),
  source: Type.String({ description: 'What changed it: api, import, user, segment, journey.' }),
  changedAt: Instant,
});

const ContactProperties = Properties('a contact');
const Topics = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  shownAs: { type: 'object', additionalProperties: Words(topicDefaults) },
  description:
    'What the contact is to topics, by their keys. The caller vouches for it: double opt-in is not asked again. An unknown key or word fails the item.',
});
const ContactInput = Named('ContactInput', {
  email: EmailText,
  properties: Type.Optional(ContactProperties),
  topics: Type.Optional(Topics),
});

const tag = 'Contacts';
const id = '019a8b2c4d5e7f708192a3b4c5d6e7f8';
const example = {
  id,
  email: 'ada@example.com',
  properties: { first_name: 'Ada', plan: 'pro', seats: 12 },
  createdAt: '2026-11-15T09:30:00.000Z',
  updatedAt: '2026-11-15T09:30:00.000Z',
};
const pathParams = { id: 'Contact id, 32 hex digits.' };
const asynchronous = 'Asynchronous: returns a transaction to poll.';

export const createContact = route({
  id: 'createContact',
  tag,
  method: 'POST',
  path: '/contacts',
  versions: both,
  summary: 'Create a contact',
  description: `${asynchronous} An email that exists already ends FAILED.`,
  body: ContactInput,
  data: Acknowledgement,
  paged: false,
  errors: [],
  example: { body: { email: example.email, properties: example.properties }, data: exampleAcknowledgement },
});

export const batchContacts = route({
  id: 'batchContacts',
  tag,
  method: 'POST',
  path: '/contacts/batch',
  versions: both,
  summary: 'Create or update up to 1,000 contacts',
  description: `${asynchronous} Items apply in order. A bad item ends FAILED with its reason; the others apply.`,
  body: Named('ContactBatch', {
    contacts: Type.Array(CheckedLater(ContactInput), { minItems: 1, maxItems: 1000 }),
  }),
  data: Acknowledgement,
  paged: false,
  errors: [],
  example: {
    body: { contacts: [{ email: example.email, properties: { plan: 'pro' } }, { email: 'alan@example.com' }] },
    data: exampleAcknowledgement,
  },
});

export const updateContact = route({
  id: 'updateContact',
  tag,
  method: 'PATCH',
  path: '/contacts/{id}',
  versions: both,
  summary: 'Change properties of a contact',
  description: `${asynchronous} \`properties\`, \`topics\` or both.`,
  pathParams,
  body: Named('ContactPatch', { properties: Type.Optional(ContactProperties), topics: Type.Optional(Topics) }),
  data: Acknowledgement,
  paged: false,
  errors: ['BAS-E-002'],
  example: { path: { id }, body: { properties: { plan: 'team', seats: null } }, data: exampleAcknowledgement },
});

export const deleteContact = route({
  id: 'deleteContact',
  tag,
  method: 'DELETE',
  path: '/contacts/{id}',
  versions: onlyV2,
  summary: 'Erase a contact',
  description: `${asynchronous} Removes the person's data everywhere; it cannot be undone.`,
  pathParams,
  data: Acknowledgement,
  paged: false,
  errors: ['BAS-E-002'],
  example: { path: { id }, data: exampleAcknowledgement },
});

export const getContact = route({
  id: 'getContact',
  tag,
  method: 'GET',
  path: '/contacts/{id}',
  versions: both,
  summary: 'Read a contact',
  pathParams,
  data: Contact,
  paged: false,
  errors: ['BAS-E-002'],
  example: { path: { id }, data: example },
});

export const getContactByEmail = route({
  id: 'getContactByEmail',
  tag,
  method: 'GET',
  path: '/contacts/by-email/{email}',
  versions: both,
  summary: 'Read a contact by email',
  pathParams: { email: 'Email address; trimmed and lower-cased.' },
  data: Contact,
  paged: false,
  errors: ['BAS-E-002'],
  example: { path: { email: example.email }, data: example },
});

export const listContacts = route({
  id: 'listContacts',
  tag,
  method: 'GET',
  path: '/contacts',
  versions: onlyV2,
  summary: 'List contacts',
  description:
    'Newest first. `search` looks in the email and in the first and last name; with a filter, both must hold. Takes seconds at most: a filter that takes longer is answered 503.',
  query: {
    search,
    filter: filterParam,
    sort: choice(['createdAt', '-createdAt', 'email', '-email'], 'What comes first; the newest by default.'),
    ...paging,
  },
  data: Contact,
  paged: true,
  errors: [],
  example: { query: { search: 'ada' }, data: [example] },
});

export const getContactTransaction = route({
  id: 'getContactTransaction',
  tag,
  method: 'GET',
  path: '/contacts/transactions/{transactionId}',
  versions: both,
  summary: 'Poll a write',
  description: 'Poll until `status` is DONE. Product-user writes and imports are polled here too.',
  pathParams: { transactionId: 'From the acknowledgement.' },
  data: WriteTransaction,
  paged: false,
  errors: [],
  example: {
    path: { transactionId: exampleAcknowledgement.transactionId },
    data: {
      ...exampleAcknowledgement,
      status: 'DONE',
      data: { results: [{ email: example.email, status: 'CREATED', contactId: id }] },
    },
  },
});

export const listContactChanges = route({
  id: 'listContactChanges',
  tag,
  method: 'GET',
  path: '/contacts/{id}/activity-log',
  versions: both,
  summary: 'List property changes of a contact',
  description:
    'Changes after creation, newest first. Those of a product user of the contact have `users.<userId>.` before the key.',
  pathParams,
  query: paging,
  data: PropertyChange,
  paged: true,
  errors: ['BAS-E-002'],
  example: {
    path: { id },
    data: [{ field: 'plan', oldValue: 'pro', newValue: 'team', source: 'api', changedAt: '2026-11-15T10:00:00.000Z' }],
  },
});

export const contactRoutes = [
  createContact,
  batchContacts,
  importContacts,
  updateContact,
  deleteContact,
  getContact,
  getContactByEmail,
  listContacts,
  getContactTransaction,
  listContactChanges,
] as const;
