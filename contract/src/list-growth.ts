// How a list of either kind grows.
import { Type } from 'typebox';
import { exampleDynamicList } from './dynamic-lists.js';
import { exampleMember, ListMember } from './list-members.js';
import { choice, paging } from './params.js';
import { onlyV2, route } from './route.js';
import { Count, Instant, Named } from './schema.js';

const staticId = '019a8b2c4d5e6f708192a3b5';
const ofStatic = { id: 'Static list id, 24 hex digits.' };
const ofDynamic = { id: 'Dynamic list id, 24 hex digits.' };

const ListGrowth = Named('ListGrowth', {
  members: Count('Its size now.'),
  days: Type.Array(
    Named('ListDay', {
      day: Type.String({ format: 'date', description: 'A day of UTC.' }),
      members: Count('Its size early on that day.'),
    }),
    {
      description:
        'The last 90 days, oldest first. Sizes are kept from the day after a list was made, and not for days on which no worker ran.',
    },
  ),
  since: Instant,
  joined: Count('Members who joined since then: in the last seven days.'),
  left: Count('Contacts who left since then, and did not come back.'),
});
const exampleGrowth = {
  members: 1204,
  days: [
    { day: '2026-11-14', members: 1190 },
    { day: '2026-11-15', members: 1199 },
  ],
  since: '2026-11-08T09:30:00.000Z',
  joined: 31,
  left: 12,
};
const growthText = 'Its size by day, and how many joined and left in the last seven days.';
const growth = { summary: 'Show how a list grows', description: growthText, data: ListGrowth, paged: false } as const;

const ListMovement = Named(
  'ListMovement',
  { ...ListMember.properties, at: Instant },
  'When the contact joined or left.',
);
const what = { ...choice(['joined', 'left'], 'Those who joined, or those who left.'), required: true } as const;
const movements = {
  summary: 'List who joined or left a list',
  description:
    'In the last seven days; the last one first. Erased contacts, and those who left and came back, did not leave.',
  query: { what, ...paging },
  data: ListMovement,
  paged: true,
} as const;
const exampleMovements = [{ ...exampleMember, at: '2026-11-15T09:30:02.000Z' }];

export const getListGrowth = route({
  ...growth,
  id: 'getListGrowth',
  tag: 'Lists',
  method: 'GET',
  path: '/lists/{id}/growth',
  versions: onlyV2,
  pathParams: ofStatic,
  errors: ['NOT_FOUND'],
  example: { path: { id: staticId }, data: exampleGrowth },
});

export const listListMovements = route({
  ...movements,
  id: 'listListMovements',
  tag: 'Lists',
  method: 'GET',
  path: '/lists/{id}/movements',
  versions: onlyV2,
  pathParams: ofStatic,
  errors: ['NOT_FOUND'],
  example: { path: { id: staticId }, query: { what: 'joined' }, data: exampleMovements },
});

export const getDynamicListGrowth = route({
  ...growth,
  id: 'getDynamicListGrowth',
  tag: 'Dynamic lists',
  method: 'GET',
  path: '/dynamic-lists/{id}/growth',
  versions: onlyV2,
  pathParams: ofDynamic,
  errors: ['NOT_FOUND'],
  example: { path: { id: exampleDynamicList.dynamicListId }, data: exampleGrowth },
});

export const listDynamicListMovements = route({
  ...movements,
  id: 'listDynamicListMovements',
  tag: 'Dynamic lists',
  method: 'GET',
  path: '/dynamic-lists/{id}/movements',
  versions: onlyV2,
  pathParams: ofDynamic,
  errors: ['NOT_FOUND'],
  example: { path: { id: exampleDynamicList.dynamicListId }, query: { what: 'left' }, data: exampleMovements },
});

export const listGrowthRoutes = [
  getListGrowth,
  listListMovements,
  getDynamicListGrowth,
  listDynamicListMovements,
] as const;
