import { Type } from 'typebox';
import { paging } from './params.js';
import { both, route } from './route.js';
import { AssetId, ContactId, Count, Named, Nullable } from './schema.js';

export const ListMember = Named('ListMember', {
  contactId: ContactId(),
  email: Type.String(),
  firstName: Nullable(Type.String()),
  lastName: Nullable(Type.String()),
  companyName: Nullable(Type.String()),
  phoneNumber: Nullable(Type.String()),
  title: Nullable(Type.String()),
});

const tag = 'Lists';
const id = '019a8b2c4d5e6f708192a3b5';
const contactId = '019a8b2c4d5e7f708192a3b4c5d6e7f8';
const stranger = '019a8b2c4d5e7f708192a3b4c5d6e7f9';
const pathParams = { id: 'Static list id.' };

export const exampleMember = {
  contactId,
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lovelace',
  companyName: null,
  phoneNumber: null,
  title: null,
};

export const listMembers = route({
  id: 'listMembers',
  tag,
  method: 'GET',
  path: '/lists/{id}/members',
  versions: both,
  summary: 'List the members of a static list',
  description: 'In the order in which the contacts were made.',
  pathParams,
  query: paging,
  data: ListMember,
  paged: true,
  errors: ['NOT_FOUND'],
  example: {
    path: { id },
    data: [exampleMember],
  },
});

export const addMembers = route({
  id: 'addMembers',
  tag,
  method: 'POST',
  path: '/lists/{id}/members',
  versions: both,
  summary: 'Add contacts to a static list',
  description: 'Unknown ids are named in `errors`; the others are added.',
  pathParams,
  body: Named('ListMembersInput', {
    contactIds: Type.Array(Type.String(), { minItems: 1, maxItems: 1000, description: 'Repeats count once.' }),
  }),
  data: Named('AddedMembers', { added: Count(), alreadyMembers: Count() }),
  paged: false,
  errors: ['NOT_FOUND', 'CONTACTS_NOT_FOUND'],
  example: {
    path: { id },
    body: { contactIds: [contactId, stranger] },
    data: { added: 1, alreadyMembers: 0 },
    errors: [{ errorCode: 'CONTACTS_NOT_FOUND', message: `No such contact: ${stranger}.`, detail: stranger }],
  },
});

export const removeMember = route({
  id: 'removeMember',
  tag,
  method: 'DELETE',
  path: '/lists/{id}/members/{contactId}',
  versions: both,
  summary: 'Remove a contact from a static list',
  pathParams: { ...pathParams, contactId: 'Contact id.' },
  data: Named('RemovedMember', { staticListId: AssetId(), contactId: ContactId(), success: Type.Boolean() }),
  paged: false,
  errors: ['NOT_FOUND', 'BAS-E-002', 'CONTACT_NOT_FOUND'],
  example: { path: { id, contactId }, data: { staticListId: id, contactId, success: true } },
});

export const listMemberRoutes = [listMembers, addMembers, removeMember] as const;
