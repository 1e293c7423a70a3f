import { Type } from 'typebox';
import { choice, paging, search } from './params.js';
import { both, onlyV2, route } from './route.js';
import {
  AccountId,
  AssetId,
  Count,
  Discriminated,
  FreeObject,
  Instant,
  Named,
  Nullable,
  Text,
  Words,
} from './schema.js';

export const StaticList = Named('StaticList', {
  staticListId: AssetId(),
  name: Type.String(),
  createdBy: AccountId,
  updatedBy: AccountId,
  createdAt: Instant,
  updatedAt: Instant,
  numRecords: Count('Current member count.'),
  directoryId: Type.Optional(AssetId('Present when the list is in a folder.')),
  isDeleted: Type.Boolean(),
  type: Type.Literal('static'),
  flow: FreeObject,
});

export const DynamicList = Named(
  'DynamicList',
  {
    dynamicListId: Nullable(AssetId()),
    name: Nullable(Type.String()),
    description: Nullable(Type.String()),
    listType: Nullable(Words(['dynamic_list_asset', 'campaign_audience'])),
    generatedQueryContext: Nullable(Words(['person', 'person_org'])),
    isValidQuery: Nullable(Type.Boolean({ description: 'True once a query has been compiled for the list.' })),
    directoryId: Nullable(AssetId('Id of its folder.')),
    directoryName: Nullable(Type.String()),
    createdAt: Nullable(Instant),
    createdBy: Nullable(AccountId),
    updatedAt: Nullable(Instant),
    updatedBy: Nullable(AccountId),
    type: Type.Literal('dynamic'),
  },
  'Every key is always present; unset keys are null.',
);

export const ListRow = Discriminated('type', 'ListRow', [StaticList, DynamicList]);

const ListDone = Named('ListDone', { staticListId: AssetId(), success: Type.Boolean() });
const pathParams = { id: 'Static list id, 24 hex digits.' };
const exampleRow = {
  staticListId: '019a8b2c4d5e6f708192a3b5',
  name: 'Beta testers',
  createdBy: 1,
  updatedBy: 1,
  createdAt: '2026-11-15T09:30:00.000Z',
  updatedAt: '2026-11-15T09:30:00.000Z',
  numRecords: 0,
  directoryId: '019a8b2c4d5e6f708192a3b4',
  isDeleted: false,
  type: 'static',
  flow: {},
};
const exampleDynamicRow = {
  dynamicListId: '019a8b2c4d5e6f708192a3b6',
  name: 'Active this month',
  description: null,
  listType: 'dynamic_list_asset',
  generatedQueryContext: 'person',
  isValidQuery: true,
  directoryId: null,
  directoryName: null,
  createdAt: '2026-11-15T09:30:00.000Z',
  createdBy: 1,
  updatedAt: '2026-11-15T09:30:00.000Z',
  updatedBy: 1,
  type: 'dynamic',
};
const done = { staticListId: exampleRow.staticListId, success: true };

const ListBody = Named('ListInput', {
  name: Text(255, { description: 'Unique among the live static lists of the tenant; compared exactly.' }),
  folder: Type.Optional(
    Text(255, { description: 'Id of a folder, else its exact name, else that folder is created.' }),
  ),
});
const ListPatch = Named('ListPatch', {
  name: Type.Optional(Text(255)),
  folder: Type.Optional(Nullable(Text(255, { description: 'As in creation; null takes the list out of its folder.' }))),
});

export const listLists = route({
  id: 'listLists',
  tag: 'Lists',
  method: 'GET',
  path: '/lists',
  versions: onlyV2,
  summary: 'List static and dynamic lists',
  description: 'Static rows first, then dynamic, each newest first. Tell them apart by `type`.',
  query: { type: choice(['static', 'dynamic'], 'One kind only; omitted returns both.'), search, ...paging },
  snakeCase: true,
  data: ListRow,
  paged: true,
  errors: [],
  example: { query: { search: 't' }, data: [exampleRow, exampleDynamicRow] },
});

export const createList = route({
  id: 'createList',
  tag: 'Lists',
  method: 'POST',
  path: '/lists',
  versions: both,
  summary: 'Create a static list',
  body: ListBody,
  data: StaticList,
  paged: false,
  errors: ['LIST_ALREADY_EXISTS'],
  example: { body: { name: 'Beta testers', folder: 'Onboarding' }, data: exampleRow },
});

export const getList = route({
  id: 'getList',
  tag: 'Lists',
  method: 'GET',
  path: '/lists/{id}',
  versions: both,
  summary: 'Read a static list',
  pathParams,
  data: StaticList,
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path: { id: exampleRow.staticListId }, data: exampleRow },
});

export const updateList = route({
  id: 'updateList',
  tag: 'Lists',
  method: 'PATCH',
  path: '/lists/{id}',
  versions: both,
  summary: 'Rename or move a static list',
  pathParams,
  body: ListPatch,
  data: ListDone,
  paged: false,
  errors: ['NOT_FOUND', 'LIST_ALREADY_EXISTS'],
  example: { path: { id: exampleRow.staticListId }, body: { name: 'Beta testers' }, data: done },
});

export const deleteList = route({
  id: 'deleteList',
  tag: 'Lists',
  method: 'DELETE',
  path: '/lists/{id}',
  versions: both,
  summary: 'Delete a static list',
  description:
    'The list is gone from every read and its name is free again. Refused while the filter of a dynamic list, a condition in an email, an active journey or a broadcast uses it.',
  pathParams,
  data: ListDone,
  paged: false,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: { path: { id: exampleRow.staticListId }, data: done },
});

export const listRoutes = [listLists, createList, getList, updateList, deleteList] as const;
