import { Type } from 'typebox';
import { Contact } from './contacts.js';
import { FilterJson } from './filter.js';
import { ListMember } from './list-members.js';
import { DynamicList } from './lists.js';
import { paging, search } from './params.js';
import { onlyV2, route } from './route.js';
import { AssetId, ContactId, Count, Instant, Named, Nullable, Text, Words } from './schema.js';

const tag = 'Dynamic lists';
const id = '019a8b2c4d5e6f708192a3b6';
const contactId = '019a8b2c4d5e7f708192a3b4c5d6e7f8';
const pathParams = { id: 'Dynamic list id, 24 hex digits.' };

export const DynamicListRecord = Named(
  'DynamicListRecord',
  { ...DynamicList.properties, filter: FilterJson() },
  'The row of a dynamic list and its filter as it was sent.',
);
export const DynamicListDetails = Named('DynamicListDetails', {
  ...DynamicListRecord.properties,
  memberCount: Count('Stored members.'),
  state: Words(['building', 'ready'], '`building`: the present filter has not looked at everybody yet.'),
  computedAt: Nullable(Type.String({ format: 'date-time', description: 'When everybody was last looked at.' })),
  lagSeconds: Type.Number({
    minimum: 0,
    description: 'Age of the oldest change that this list has not seen; 0 when it has seen all.',
  }),
  warnings: Type.Array(Type.String(), {
    description:
      'What may not be meant so, with its place: a property key that no contact has had, an event never seen.',
  }),
});
export const DynamicListMember = Named('DynamicListMember', { ...ListMember.properties, joinedAt: Instant });

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
const record = { ...row, filter };
const [onPro, signsIn] = [
  'contact\'s property "plan" is "pro"',
  'contact did "signed_in" at least 3 times in the last 30 days',
];
const words = `The ${onPro}, and the ${signsIn}.`;

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
    'Its members are whoever the filter holds for, now and later; they are found in the background. Faults of the filter are told each with its place, such as `filter.all[2].gt: a number is wanted`.',
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
    'Another filter finds the members anew, in the background. Null clears a description, folder or journey.',
  pathParams,
  body: DynamicListPatch,
  data: DynamicListRecord,
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path: { id }, body: { name: row.name, filter }, data: record },
});

export const deleteDynamicList = route({
  id: 'deleteDynamicList',
  tag,
  method: 'DELETE',
  path: '/dynamic-lists/{id}',
  versions: onlyV2,
  summary: 'Delete a dynamic list',
  description: 'Refused while the filter of another list, or a journey, uses it.',
  pathParams,
  data: Named('DeletedDynamicList', { dynamicListId: AssetId(), success: Type.Boolean() }),
  paged: false,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: { path: { id }, data: { dynamicListId: id, success: true } },
});

export const listDynamicMembers = route({
  id: 'listDynamicMembers',
  tag,
  method: 'GET',
  path: '/dynamic-lists/{id}/members',
  versions: onlyV2,
  summary: 'List the members of a dynamic list',
  description: 'Who joined last comes first.',
  pathParams,
  query: paging,
  data: DynamicListMember,
  paged: true,
  errors: ['NOT_FOUND'],
  example: {
    path: { id },
    data: [
      {
        contactId,
        email: 'ada@example.com',
        firstName: 'Ada',
        lastName: 'Lovelace',
        companyName: null,
        phoneNumber: null,
        title: null,
        joinedAt: '2026-11-15T09:30:02.000Z',
      },
    ],
  },
});

export const explainDynamicList = route({
  id: 'explainDynamicList',
  tag,
  method: 'GET',
  path: '/dynamic-lists/{id}/explain',
  versions: onlyV2,
  summary: 'Say why a contact is in a dynamic list, or is not',
  description:
    'Every group and condition of the filter in its order, with what it says of this contact now. `isMember` is what is stored, `holds` what is true at `evaluatedAt`.',
  pathParams,
  query: {
    contactId: { kind: 'text', emptyIsAbsent: false, repeatable: false, required: true, description: 'Contact id.' },
  },
  snakeCase: true,
  data: Named('ListExplanation', {
    contactId: ContactId(),
    isMember: Type.Boolean(),
    holds: Type.Boolean(),
    evaluatedAt: Instant,
    nodes: Type.Array(
      Named('ExplainedNode', {
        path: Type.String({ description: 'Where it stands: `filter.all[0]`.' }),
        text: Type.String({ description: 'What it says, in plain words.' }),
        holds: Type.Boolean(),
        value: Type.Optional(
          Type.Unknown({
            description: 'What was found for this contact, where there is one thing to show; null for nothing.',
          }),
        ),
      }),
    ),
  }),
  paged: false,
  errors: ['NOT_FOUND', 'BAS-E-002'],
  example: {
    path: { id },
    query: { contactId },
    data: {
      contactId,
      isMember: true,
      holds: true,
      evaluatedAt: '2026-11-15T09:30:00.000Z',
      nodes: [
        { path: 'filter', text: words, holds: true },
        { path: 'filter.all[0]', text: `The ${onPro}.`, holds: true, value: 'pro' },
        { path: 'filter.all[1]', text: `The ${signsIn}.`, holds: true, value: 5 },
      ],
    },
  },
});

export const previewDynamicList = route({
  id: 'previewDynamicList',
  tag,
  method: 'POST',
  path: '/dynamic-lists/preview',
  versions: onlyV2,
  summary: 'Try a filter without saving it',
  description:
    'Counts exactly among up to 50,000 contacts; of more it looks at a sample from all over, and says so with `isExact: false`. Takes seconds at most: a filter that takes longer is answered 503.',
  body: Named('DynamicListPreviewInput', { filter: FilterJson() }),
  data: Named('DynamicListPreview', {
    count: Count('Contacts for whom the filter holds.'),
    isExact: Type.Boolean({ description: 'False: `count` is an estimate.' }),
    sample: Type.Array(Contact, { maxItems: 5, description: 'Up to five of them, newest first.' }),
    text: Type.String({ description: 'The filter in plain words.' }),
    estimatedCost: Count(
      'What the database expects the evaluation of all contacts to cost, in its own unit: reading one page from disk in order is 1. Good for comparing two filters.',
    ),
  }),
  paged: false,
  errors: [],
  example: {
    body: { filter },
    data: {
      count: 1204,
      isExact: true,
      sample: [
        {
          id: contactId,
          email: 'ada@example.com',
          properties: { first_name: 'Ada', plan: 'pro' },
          createdAt: '2026-11-15T09:30:00.000Z',
          updatedAt: '2026-11-15T09:30:00.000Z',
        },
      ],
      text: words,
      estimatedCost: 2310,
    },
  },
});

export const ListMembership = Named('ListMembership', {
  type: Words(['static', 'dynamic']),
  id: AssetId('Id of the list.'),
  name: Type.String(),
  joinedAt: Instant,
});

export const listContactLists = route({
  id: 'listContactLists',
  tag: 'Contacts',
  method: 'GET',
  path: '/contacts/{id}/lists',
  versions: onlyV2,
  summary: 'List the lists that a contact is in',
  description: 'Static and dynamic ones; what it joined last comes first.',
  pathParams: { id: 'Contact id, 32 hex digits.' },
  query: paging,
  data: ListMembership,
  paged: true,
  errors: ['BAS-E-002'],
  example: {
    path: { id: contactId },
    data: [{ type: 'dynamic', id, name: row.name, joinedAt: '2026-11-15T09:30:02.000Z' }],
  },
});

export const dynamicListRoutes = [
  listDynamicLists,
  createDynamicList,
  getDynamicList,
  updateDynamicList,
  deleteDynamicList,
  listDynamicMembers,
  explainDynamicList,
  previewDynamicList,
  listContactLists,
] as const;
