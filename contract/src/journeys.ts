import { Type } from 'typebox';
import { DefinitionJson } from './journey-definition.js';
import { choice, paging, search } from './params.js';
import { onlyV2, route } from './route.js';
import { AccountId, AssetId, FreeObject, Instant, Named, Nullable, Text, Words } from './schema.js';

const tag = 'Journeys';
export const journeyTypes = ['batch', 'trigger'] as const;
export const journeyStatuses = ['active', 'draft', 'inactive'] as const;

/** A definition in an answer: that of a draft may be anything. */
export const StoredDefinition = Nullable(
  Type.Unsafe<Record<string, unknown>>({
    ...FreeObject,
    description: 'As it was saved; null if there is none yet.',
  }),
);

const Author = Named('JourneyAuthor', { id: AccountId, name: Type.String() });

export const Journey = Named(
  'Journey',
  {
    journeyId: AssetId(),
    name: Type.String(),
    type: Words(journeyTypes),
    status: Words(
      journeyStatuses,
      '`draft`: never activated. `active`: neither stopped nor finished since. Else `inactive`.',
    ),
    nextRunTime: Nullable(
      Type.String({ format: 'date-time', description: 'For an active batch journey with a run ahead.' }),
    ),
    tags: Type.Array(Type.String()),
    directoryId: Nullable(AssetId('Id of its folder.')),
    directoryName: Nullable(Type.String()),
    dynamicListId: Nullable(AssetId('The dynamic list that is its audience.')),
    campaignContext: Words(['person', 'person_org'], 'That of its audience.'),
    createdAt: Instant,
    createdBy: Author,
  },
  'Every key is always present; unset keys are null.',
);
export const JourneyRecord = Named('JourneyRecord', {
  ...Journey.properties,
  kind: Type.Optional(
    Words(['broadcast'], 'There only if it is a broadcast, which is changed under `/v2/broadcasts`.'),
  ),
  definition: StoredDefinition,
  isPaused: Type.Boolean({ description: 'Active, but paused: no contact moves and nothing leaves.' }),
  revision: Type.Integer({ minimum: 1, description: 'Counts edits; send it as `If-Match` with a PATCH.' }),
  version: Nullable(Type.Integer({ minimum: 1, description: 'The version that contacts enter, once there is one.' })),
  updatedAt: Type.String({
    format: 'date-time',
    description: 'The last edit, activation or stop, by `updatedBy`; or when it finished.',
  }),
  updatedBy: Nullable(Author),
});

const Tags = Type.Array(Text(64), { maxItems: 50, description: 'At most 50, of 1 to 64 characters each.' });
const FolderId = Type.String({ description: 'Id of a folder. An unknown one is a 400.' });
const JourneyType = Words(journeyTypes, 'Cannot change once the journey has been active.');
const JourneyBody = Named('JourneyInput', {
  name: Text(255, { description: 'Need not be unique.' }),
  type: JourneyType,
  tags: Type.Optional(Tags),
  folderId: Type.Optional(FolderId),
  definition: Type.Optional(DefinitionJson),
});
const JourneyPatch = Named('JourneyPatch', {
  name: Type.Optional(Text(255)),
  type: Type.Optional(JourneyType),
  tags: Type.Optional(Nullable(Tags)),
  folderId: Type.Optional(Nullable(FolderId)),
  definition: Type.Optional(Nullable(DefinitionJson)),
  inFlight: Type.Optional(
    Words(
      ['finish', 'move'],
      'With another definition of an active journey: contacts in it finish in the version that they entered, or move to the step of the same id.',
    ),
  ),
});

const id = '019a8b2c4d5e6f708192a3d1';
const emailId = '019a8b2c4d5e6f708192a3c1';
const pathParams = { id: 'Journey id, 24 hex digits.' };
export const exampleDefinition = {
  entry: { event: { eventName: 'signed_up' } },
  steps: [
    { id: 'welcome', type: 'sendEmail', emailId },
    { id: 'wait', type: 'delay', for: 'P2D' },
    { id: 'done', type: 'exit' },
  ],
};
export const exampleJourney = {
  journeyId: id,
  name: 'Welcome',
  type: 'trigger',
  status: 'draft',
  nextRunTime: null,
  tags: ['onboarding'],
  directoryId: null,
  directoryName: null,
  dynamicListId: null,
  campaignContext: 'person',
  createdAt: '2026-11-15T09:30:00.000Z',
  createdBy: { id: 1, name: 'Owner' },
};
export const exampleJourneyRecord = {
  ...exampleJourney,
  definition: exampleDefinition,
  isPaused: false,
  revision: 1,
  version: null,
  updatedAt: exampleJourney.createdAt,
  updatedBy: exampleJourney.createdBy,
};

export const journeyFilters = {
  status: { kind: 'choice', words: journeyStatuses, repeatable: true, description: 'Only these.' },
  type: { kind: 'choice', words: journeyTypes, repeatable: true, description: 'Only these.' },
  tag: {
    kind: 'text',
    emptyIsAbsent: false,
    repeatable: true,
    description: 'Only those with one of these tags, each a whole name.',
  },
  folderId: {
    kind: 'text',
    emptyIsAbsent: false,
    repeatable: false,
    description: 'One folder; an id of no folder yields an empty page.',
  },
  search,
  emailId: {
    kind: 'text',
    emptyIsAbsent: false,
    repeatable: false,
    description:
      'Only those that send this email: in the version that contacts enter, or in the draft of one that has none. An id of no email yields an empty page.',
  },
} as const;

export const journeySorts = ['-createdAt', 'name'] as const;

export const listJourneys = route({
  id: 'listJourneys',
  tag,
  method: 'GET',
  path: '/journeys',
  versions: onlyV2,
  summary: 'List journeys',
  description:
    'Newest first, unless `sort` says otherwise. Different filters must all match; for a repeated one, any value.',
  query: {
    ...journeyFilters,
    sort: choice(journeySorts, '`-createdAt`, the default: newest first. `name`: from A to Z, whatever the case.'),
    ...paging,
  },
  snakeCase: true,
  data: Journey,
  paged: true,
  errors: [],
  example: { query: { status: 'draft' }, data: [exampleJourney] },
});

export const createJourney = route({
  id: 'createJourney',
  tag,
  method: 'POST',
  path: '/journeys',
  versions: onlyV2,
  summary: 'Create a journey',
  description: 'A draft: no contact enters it until it is activated, and only then is its definition checked.',
  body: JourneyBody,
  hasEtag: true,
  data: JourneyRecord,
  paged: false,
  errors: [],
  example: {
    body: {
      name: exampleJourney.name,
      type: exampleJourney.type,
      tags: exampleJourney.tags,
      definition: exampleDefinition,
    },
    data: exampleJourneyRecord,
  },
});

export const getJourney = route({
  id: 'getJourney',
  tag,
  method: 'GET',
  path: '/journeys/{id}',
  versions: onlyV2,
  summary: 'Read a journey',
  description: 'With its definition. The `ETag` of the answer, its `revision`, can be sent as `If-Match` with a PATCH.',
  pathParams,
  hasEtag: true,
  data: JourneyRecord,
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path: { id }, data: exampleJourneyRecord },
});

export const updateJourney = route({
  id: 'updateJourney',
  tag,
  method: 'PATCH',
  path: '/journeys/{id}',
  versions: onlyV2,
  summary: 'Change a journey',
  description:
    'Name, tags and folder change in every state. Another definition of an active journey is checked as on activation, becomes a new version, and needs `inFlight`. Send `If-Match` with the `revision` that was read to be refused (412) if the journey was changed since. Null clears tags, folder or definition.',
  pathParams,
  body: JourneyPatch,
  hasEtag: true,
  data: JourneyRecord,
  paged: false,
  errors: ['NOT_FOUND', 'INVALID_STATE', 'EDIT_CONFLICT'],
  example: {
    path: { id },
    body: { name: exampleJourney.name, definition: exampleDefinition },
    data: exampleJourneyRecord,
  },
});

export const deleteJourney = route({
  id: 'deleteJourney',
  tag,
  method: 'DELETE',
  path: '/journeys/{id}',
  versions: onlyV2,
  summary: 'Delete a journey',
  description: 'Refused while it is active, and while an active journey starts it. What it sent stays.',
  pathParams,
  data: Named('DeletedJourney', { journeyId: AssetId(), success: Type.Boolean() }),
  paged: false,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: { path: { id }, data: { journeyId: id, success: true } },
});

export const journeyRoutes = [listJourneys, createJourney, getJourney, updateJourney, deleteJourney] as const;
