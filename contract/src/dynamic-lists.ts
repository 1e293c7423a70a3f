import { Type } from 'typebox';
import { FilterJson } from './filter.js';

import { DynamicList } from './lists.js';
import { paging, search } from './params.js';
import { onlyV2, route } from './route.js';
import { AssetId, Count, Named, Nullable, Text, Words } from './schema.js';

const tag = 'Dynamic lists';
const id = '019a8b2c4d5e6f708192a3b6';

const pathParams = { id: 'Dynamic list id, 24 hex digits.' };

export const DynamicListRecord = Named(
  'DynamicListRecord',
  { ...DynamicList.properties, filter: FilterJson() },
  'The row of a dynamic list and its filter as it was sent.',
);
export const DynamicListDetails = Named('DynamicListDetails', {
  ...DynamicListRecord.properties,
  memberCount: Count('Stored members.'),
  state: Words(['building', 'ready'], '`building`: the current filter has not been applied to all contacts yet.'),
  computedAt: Nullable(Type.String({ format: 'date-time', description: 'When all contacts were last looked at.' })),
  lagSeconds: Type.Number({
    minimum: 0,
    description: 'Age of the oldest change that this list has not seen; 0 when it has seen all.',
  }),
  warnings: Type.Array(Type.String(), {
    description:
      'Likely mistakes, each with its place: a property key that no contact has had, an event that was never seen.',
  }),
});
const Description = Type.String({ maxLength: 2000, trim: true, description: 'At most 2,000 characters.' });
const FolderId = Type.String({ description: 'Id of a folder. An unknown one is a 400.' });
const JourneyId = Type.String({ description: 'The journey whose audience it is. An unknown one is a 400.' });
const DynamicListBody = Named('DynamicListInput', {
  name: Text(255, { description: 'Need not be unique.' }),
  description: Type.Optional(Description),
  folderId: Type.Optional(FolderId),
  filter: FilterJson(),
  journeyId: Type.Optional(JourneyId),
});
const DynamicListPatch = Named('DynamicListPatch', {
  name: Type.Optional(Text(255)),
  description: Type.Optional(Nullable(Description)),
  folderId: Type.Optional(Nullable(FolderId)),
  filter: Type.Optional(FilterJson()),
  journeyId: Type.Optional(Nullable(JourneyId)),
});

const row = {
  dynamicListId: id,
  name: 'Active this month',
  description: 'On the pro plan, and signed in lately',
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
const filter = {
  all: [
    { property: 'plan', is: 'pro' },
    { event: 'signed_in', atLeast: 3, withinLast: 'P30D' },
  ],
};
export const exampleDynamicList = { ...row, filter };
const record = exampleDynamicList;
export const listDynamicLists = route({
  id: 'listDynamicLists',
  tag,
  method: 'GET',
  path: '/dynamic-lists',
  versions: onlyV2,
  summary: 'List dynamic lists',
  description: 'Newest first.',
  query: { search, ...paging },
  snakeCase: true,
  data: DynamicList,
  paged: true,
  errors: [],
  example: { query: { search: 'active' }, data: [row] },
});

export const createDynamicList = route({
  id: 'createDynamicList',
  tag,
  method: 'POST',
  path: '/dynamic-lists',
  versions: onlyV2,
  summary: 'Create a dynamic list',
  description:
    'Its members are the contacts that match the filter, now and later; they are found in the background. Each fault of the filter is reported with its place, such as `filter.all[2].gt: a number is wanted`.',
  body: DynamicListBody,
  data: DynamicListRecord,
  paged: false,
  errors: [],
  example: { body: { name: row.name, description: row.description, filter }, data: record },
});

export const getDynamicList = route({
  id: 'getDynamicList',
  tag,
  method: 'GET',
  path: '/dynamic-lists/{id}',
  versions: onlyV2,
  summary: 'Read a dynamic list',
  description: 'With its filter, its size, and how far behind it is.',
  pathParams,
  data: DynamicListDetails,
  paged: false,
  errors: ['NOT_FOUND'],
  example: {
    path: { id },
    data: {
      ...record,
      memberCount: 1204,
      state: 'ready',
      computedAt: '2026-11-15T09:30:02.000Z',
      lagSeconds: 0,
      warnings: ['filter.all[1].event: no event named "signed_in" was ever stored.'],
    },
  },
});

export const updateDynamicList = route({
  id: 'updateDynamicList',
  tag,
  method: 'PATCH',
  path: '/dynamic-lists/{id}',
  versions: onlyV2,
  summary: 'Change a dynamic list',
  description:
    'A new filter recomputes the members in the background; that of a broadcast’s audience is changed there. Null clears a description, folder or journey.',
  pathParams,
  body: DynamicListPatch,
  data: DynamicListRecord,
  paged: false,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: { path: { id }, body: { name: row.name, filter }, data: record },
});

export const deleteDynamicList = route({
  id: 'deleteDynamicList',
  tag,
  method: 'DELETE',
  path: '/dynamic-lists/{id}',
  versions: onlyV2,
  summary: 'Delete a dynamic list',
  description:
    'Refused while the filter of another list, a condition in an email, an active journey or a broadcast uses it, and while it is the audience of a broadcast that has not begun.',
  pathParams,
  data: Named('DeletedDynamicList', { dynamicListId: AssetId(), success: Type.Boolean() }),
  paged: false,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: { path: { id }, data: { dynamicListId: id, success: true } },
});

export const dynamicListRoutes = [
  listDynamicLists,
  createDynamicList,
  getDynamicList,
  updateDynamicList,
  deleteDynamicList,
] as const;
