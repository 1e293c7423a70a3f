import { Type } from 'typebox';
import { onlyV2, route } from './route.js';
import { ContactId, EmailText, Instant, Named, Properties, StoredProperties, Success, Text } from './schema.js';
import { Acknowledgement, exampleAcknowledgement, UserResult, WriteTransaction } from './transactions.js';

export const ProductUser = Named('ProductUser', {
  userId: Type.String(),
  email: Type.String({ description: 'Of the contact that the user belongs to.' }),
  contactId: ContactId(),
  orgIds: Type.Array(Type.String(), { description: 'In the order in which the user joined them.' }),
  properties: StoredProperties,
  createdAt: Instant,
  updatedAt: Instant,
});

export const UserAcknowledgement = Named('UserAcknowledgement', {
  ...Acknowledgement.properties,
  results: Type.Array(UserResult, { description: 'One item per organization; one without an `orgId` when none.' }),
});

const tag = 'Users';
export const exampleUser = {
  userId: 'ada-1',
  email: 'ada@example.com',
  contactId: '019a8b2c4d5e7f708192a3b4c5d6e7f8',
  orgIds: ['acme'],
  properties: { role: 'admin' },
  createdAt: '2026-11-15T09:30:00.000Z',
  updatedAt: '2026-11-15T09:30:00.000Z',
};
const { userId, email, contactId } = exampleUser;
const exampleResult = { userId, orgId: 'acme', operation: 'UPSERT_PRODUCT_USER' };
const pathParams = { userId: 'User id.' };

export const createUser = route({
  id: 'createUser',
  tag,
  method: 'POST',
  path: '/users',
  versions: onlyV2,
  summary: 'Create or update a product user',
  description:
    'A login under a contact. Asynchronous: returns a transaction to poll. An unknown email creates the contact; an unknown organization is refused. A `userId` that belongs to another email ends FAILED.',
  body: Named('ProductUserInput', {
    email: EmailText,
    userId: Type.Optional(Text(255, { description: 'Generated when omitted.' })),
    orgIds: Type.Optional(
      Type.Array(Text(255), { maxItems: 100, description: 'Organizations the user joins. Repeats count once.' }),
    ),
    properties: Type.Optional(Properties('a user')),
  }),
  data: UserAcknowledgement,
  paged: false,
  errors: ['NOT_FOUND'],
  example: {
    body: { email, userId, orgIds: ['acme'], properties: exampleUser.properties },
    data: { ...exampleAcknowledgement, results: [{ ...exampleResult, status: 'PENDING' }] },
  },
});

export const getUser = route({
  id: 'getUser',
  tag,
  method: 'GET',
  path: '/users/{userId}',
  versions: onlyV2,
  summary: 'Read a product user',
  pathParams,
  data: ProductUser,
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path: { userId }, data: exampleUser },
});

export const getUsersByEmail = route({
  id: 'getUsersByEmail',
  tag,
  method: 'GET',
  path: '/users/by-email/{email}',
  versions: onlyV2,
  summary: 'Read the product users of a contact',
  description: 'Newest first; empty for a contact without users.',
  pathParams: { email: 'Email address; trimmed and lower-cased.' },
  data: Type.Array(ProductUser),
  paged: false,
  errors: ['BAS-E-002'],
  example: { path: { email }, data: [exampleUser] },
});

export const deleteUser = route({
  id: 'deleteUser',
  tag,
  method: 'DELETE',
  path: '/users/{userId}',
  versions: onlyV2,
  summary: 'Delete a product user',
  description: 'At once, with its memberships. The contact stays.',
  pathParams,
  data: Success,
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path: { userId }, data: { success: true } },
});

export const getUserTransaction = route({
  id: 'getUserTransaction',
  tag,
  method: 'GET',
  path: '/users/transactions/{transactionId}',
  versions: onlyV2,
  summary: 'Poll a product-user write',
  description: 'Poll until `status` is DONE. Other writes do not exist here.',
  pathParams: { transactionId: 'From the acknowledgement.' },
  data: WriteTransaction,
  paged: false,
  errors: [],
  example: {
    path: { transactionId: exampleAcknowledgement.transactionId },
    data: {
      ...exampleAcknowledgement,
      status: 'DONE',
      results: [{ ...exampleResult, status: 'CREATED' }],
      data: { results: [{ email, status: 'CREATED', contactId }] },
    },
  },
});

export const userRoutes = [createUser, getUser, getUsersByEmail, deleteUser, getUserTransaction] as const;
