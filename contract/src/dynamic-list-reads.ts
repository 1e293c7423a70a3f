// What can be read about a dynamic list: who is in it, why, and what a filter would match.
import { Type } from 'typebox';
import { Contact } from './contacts.js';
import { DynamicListDetails, exampleDynamicList } from './dynamic-lists.js';
import { FilterJson } from './filter.js';
import { exampleMember, ListMember } from './list-members.js';
import { type Param, paging, requiredFilterParam } from './params.js';
import { onlyV2, route } from './route.js';
import { AssetId, ContactId, Count, Instant, Named, Words } from './schema.js';

const tag = 'Dynamic lists';
const id = exampleDynamicList.dynamicListId;
const contactId = '019a8b2c4d5e7f708192a3b4c5d6e7f8';
const pathParams = { id: 'Dynamic list id, 24 hex digits.' };
const [onPro, signsIn] = [
  'contact’s property “plan” is “pro”',
  'contact did “signed_in” at least 3 times in the last 30 days',
];
const words = `The ${onPro}, and the ${signsIn}.`;
const exampleNodes = [
  { path: 'filter', text: words, holds: true },
  { path: 'filter.all[0]', text: `The ${onPro}.`, holds: true, value: 'pro' },
  { path: 'filter.all[1]', text: `The ${signsIn}.`, holds: true, value: 5 },
];
const filterText = JSON.stringify(exampleDynamicList.filter);

const ExplainedNodes = Type.Array(
  Named('ExplainedNode', {
    path: Type.String({ description: 'Where it is: `filter.all[0]`.' }),
    text: Type.String({ description: 'What it says, in plain words.' }),
    holds: Type.Boolean(),
    value: Type.Optional(
      Type.Unknown({
        description: 'What was found for this contact, if there is one thing to show; otherwise null.',
      }),
    ),
  }),
);
const contactIdParam = {
  kind: 'text',
  emptyIsAbsent: false,
  repeatable: false,
  required: true,
  description: 'Contact id.',
} as const satisfies Param;

const { memberCount, state, computedAt, lagSeconds } = DynamicListDetails.properties;

export const listDynamicListStates = route({
  id: 'listDynamicListStates',
  tag,
  method: 'GET',
  path: '/dynamic-lists/states',
  versions: onlyV2,
  summary: 'List sizes of dynamic lists, and how far behind they are',
  description: 'What each list says about itself, for many at once and without its filter. Newest list first.',
  query: paging,
  snakeCase: true,
  data: Named('DynamicListState', { dynamicListId: AssetId(), memberCount, state, computedAt, lagSeconds }),
  paged: true,
  errors: [],
  example: {
    data: [
      {
        dynamicListId: id,
        memberCount: 1204,
        state: 'ready',
        computedAt: '2026-11-15T09:30:02.000Z',
        lagSeconds: 0,
      },
    ],
  },
});

export const DynamicListMember = Named('DynamicListMember', { ...ListMember.properties, joinedAt: Instant });

export const listDynamicMembers = route({
  id: 'listDynamicMembers',
  tag,
  method: 'GET',
  path: '/dynamic-lists/{id}/members',
  versions: onlyV2,
  summary: 'List the members of a dynamic list',
  description: 'Most recently joined first.',
  pathParams,
  query: paging,
  data: DynamicListMember,
  paged: true,
  errors: ['NOT_FOUND'],
  example: {
    path: { id },
    data: [{ ...exampleMember, contactId, joinedAt: '2026-11-15T09:30:02.000Z' }],
  },
});

export const explainDynamicList = route({
  id: 'explainDynamicList',
  tag,
  method: 'GET',
  path: '/dynamic-lists/{id}/explain',
  versions: onlyV2,
  summary: 'Explain why a contact is in a dynamic list, or is not',
  description:
    'Every group and condition of the filter in its order, with its result for this contact now. `isMember` is what is stored, `holds` what is true at `evaluatedAt`.',
  pathParams,
  query: { contactId: contactIdParam },
  snakeCase: true,
  data: Named('ListExplanation', {
    contactId: ContactId(),
    isMember: Type.Boolean(),
    holds: Type.Boolean(),
    evaluatedAt: Instant,
    nodes: ExplainedNodes,
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
      nodes: exampleNodes,
    },
  },
});

export const explainFilter = route({
  id: 'explainFilter',
  tag,
  method: 'GET',
  path: '/dynamic-lists/explain',
  versions: onlyV2,
  summary: 'Explain why a filter holds for a contact, or does not',
  description:
    'For a filter that is not saved: every group and condition in its order, with its result for this contact now.',
  query: { filter: requiredFilterParam, contactId: contactIdParam },
  snakeCase: true,
  data: Named('FilterExplanation', {
    contactId: ContactId(),
    holds: Type.Boolean(),
    evaluatedAt: Instant,
    nodes: ExplainedNodes,
  }),
  paged: false,
  errors: ['BAS-E-002'],
  example: {
    query: { filter: filterText, contactId },
    data: { contactId, holds: true, evaluatedAt: '2026-11-15T09:30:00.000Z', nodes: exampleNodes },
  },
});

const previewCost =
  'Counts exactly among up to 50,000 contacts; with more it looks at a random sample, and says so with `isExact: false`. Takes seconds at most: a filter that takes longer is answered 503.';
const DynamicListPreview = Named('DynamicListPreview', {
  count: Count('Contacts for whom the filter holds.'),
  isExact: Type.Boolean({ description: 'False: `count` is an estimate.' }),
  sample: Type.Array(Contact, { maxItems: 5, description: 'Up to five of them, newest first.' }),
  text: Type.String({ description: 'The filter in plain words.' }),
  estimatedCost: Count(
    'What the database expects the evaluation of all contacts to cost, in its own unit: reading one page from disk in order is 1. Good for comparing two filters.',
  ),
});
const examplePreview = {
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
};

export const previewDynamicList = route({
  id: 'previewDynamicList',
  tag,
  method: 'POST',
  path: '/dynamic-lists/preview',
  versions: onlyV2,
  summary: 'Try a filter without saving it',
  description: previewCost,
  body: Named('DynamicListPreviewInput', { filter: FilterJson() }),
  data: DynamicListPreview,
  paged: false,
  errors: [],
  example: {
    body: { filter: exampleDynamicList.filter },
    data: examplePreview,
  },
});

export const previewFilter = route({
  id: 'previewFilter',
  tag,
  method: 'GET',
  path: '/dynamic-lists/preview',
  versions: onlyV2,
  summary: 'Try a filter with a read-only token',
  description: `Like the POST, for tokens that may only read. ${previewCost}`,
  query: { filter: requiredFilterParam },
  data: DynamicListPreview,
  paged: false,
  errors: [],
  example: { query: { filter: filterText }, data: examplePreview },
});

export const breakDownFilter = route({
  id: 'breakDownFilter',
  tag,
  method: 'GET',
  path: '/dynamic-lists/breakdown',
  versions: onlyV2,
  summary: 'Show what each part of a filter does to the number of contacts',
  description:
    'For every group and condition in its order, how many contacts are left after it and how many there would be without it. Counts like a preview: exactly among up to 50,000 contacts, else in a random sample, within the same time limit. A filter has at most 60 groups and conditions for this.',
  query: { filter: requiredFilterParam },
  data: Named('FilterBreakdown', {
    count: Count('Contacts for whom the whole filter holds.'),
    isExact: Type.Boolean({ description: 'False: all numbers are estimates from a sample.' }),
    nodes: Type.Array(
      Named('FilterBreakdownNode', {
        path: Type.String({ description: 'Where it is: `filter.all[0]`.' }),
        left: Count('Contacts that match if everything after this part is left out.'),
        without: Count(
          'Contacts that match if only this part is left out: more than `count` by those that it removes, or fewer by those that it adds.',
        ),
      }),
    ),
  }),
  paged: false,
  errors: [],
  example: {
    query: { filter: filterText },
    data: {
      count: 1204,
      isExact: true,
      nodes: [
        { path: 'filter', left: 1204, without: 9800 },
        { path: 'filter.all[0]', left: 2100, without: 3050 },
        { path: 'filter.all[1]', left: 1204, without: 2100 },
      ],
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
    data: [{ type: 'dynamic', id, name: exampleDynamicList.name, joinedAt: '2026-11-15T09:30:02.000Z' }],
  },
});

export const dynamicListReads = [
  listDynamicListStates,
  listDynamicMembers,
  explainDynamicList,
  explainFilter,
  previewDynamicList,
  previewFilter,
  breakDownFilter,
  listContactLists,
] as const;
