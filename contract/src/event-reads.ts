// Events of the whole workspace: the newest as they arrive, the names that they have had, and what comes with a name.
import { Type } from 'typebox';
import { exampleEvent } from './events.js';
import { paging, search } from './params.js';
import { onlyV2, route } from './route.js';
import { ContactId, Count, FreeObject, Instant, Named, Nullable, Words } from './schema.js';

export const RecentEvent = Named('RecentEvent', {
  no: Type.Integer({ minimum: 0, description: 'Unique within a workspace.' }),
  eventName: Type.String(),
  eventDate: Instant,
  receivedAt: Nullable(
    Type.String({ format: 'date-time', description: 'When it was stored; null for an event older than this field.' }),
  ),
  contactId: ContactId(),
  email: Type.String({ description: 'Of the contact.' }),
  userId: Nullable(Type.String()),
  orgId: Nullable(Type.String()),
  eventProperties: FreeObject,
});

export const RecentEvents = Named('RecentEvents', {
  events: Type.Array(RecentEvent, { description: 'In order of arrival, newest first.' }),
  cursor: Type.String({ description: 'Give it back as `after` to get only what arrives from now on.' }),
});

const tag = 'Events';
const versions = onlyV2;
const recent = {
  no: 8_192_004,
  eventName: exampleEvent.eventName,
  eventDate: exampleEvent.eventDate,
  receivedAt: '2026-11-15T09:30:00.412Z',
  contactId: '019a8b2c4d5e7f708192a3b4c5d6e7f8',
  email: 'ada@example.com',
  userId: exampleEvent.userId,
  orgId: exampleEvent.orgId,
  eventProperties: exampleEvent.eventProperties,
};

export const listRecentEvents = route({
  id: 'listRecentEvents',
  tag,
  versions,
  method: 'GET',
  path: '/events',
  summary: 'Read the newest events',
  description:
    'Those of all contacts, in the order in which they arrived, newest first; not paged. To follow them, ask every few seconds with the `cursor` of the last answer. If more than `limit` arrive in between, the older ones are left out.',
  query: {
    eventName: {
      kind: 'text',
      emptyIsAbsent: true,
      repeatable: false,
      description: 'Only events of this name, exactly as it is spelled.',
    },
    after: {
      kind: 'text',
      emptyIsAbsent: true,
      repeatable: false,
      description: 'A `cursor`: only what arrived since. One that is no longer usable is ignored.',
    },
    limit: {
      kind: 'whole',
      min: 1,
      max: 200,
      default: 50,
      repeatable: false,
      description: 'At most this many events, 1 to 200.',
    },
  },
  data: RecentEvents,
  paged: false,
  errors: [],
  example: { query: { limit: '1' }, data: { events: [recent], cursor: '48211' } },
});

const Day = Type.String({ format: 'date', description: 'A day in UTC.' });

export const EventNameCounts = Named('EventNameCounts', {
  eventName: Type.String(),
  firstSeenAt: Nullable(
    Type.String({ format: 'date-time', description: 'The earliest `eventDate`; null if none is known anymore.' }),
  ),
  lastSeenAt: Nullable(Type.String({ format: 'date-time', description: 'The latest `eventDate`.' })),
  total: Count('Events that were stored, including those that were erased or dropped since.'),
  days: Type.Array(Named('EventDay', { day: Day, count: Count() }), {
    description: 'The last 30 days by `eventDate`, oldest first; days without events are left out.',
  }),
});

export const listEventNames = route({
  id: 'listEventNames',
  tag,
  versions,
  method: 'GET',
  path: '/event-names',
  summary: 'List the names that events have had',
  description: 'By name, each with its number of events.',
  query: { search, ...paging },
  data: EventNameCounts,
  paged: true,
  errors: [],
  example: {
    query: { search: 'report' },
    data: [
      {
        eventName: exampleEvent.eventName,
        firstSeenAt: '2026-03-02T08:11:40.000Z',
        lastSeenAt: exampleEvent.eventDate,
        total: 18_204,
        days: [
          { day: '2026-11-14', count: 96 },
          { day: '2026-11-15', count: 41 },
        ],
      },
    ],
  },
});

export const eventPropertyTypes = ['text', 'number', 'boolean', 'time', 'list'] as const;

export const EventProperty = Named('EventProperty', {
  path: Type.Array(Type.String(), { description: 'Its key; inside nested objects, the keys that lead to it.' }),
  types: Type.Array(Words(eventPropertyTypes), { description: 'Types of values that were seen, most frequent first.' }),
  share: Type.Number({ minimum: 0, maximum: 1, description: 'How many of the sampled events have it.' }),
  examples: Type.Array(Type.Unknown(), { description: 'Up to 5 different values, newest first; long texts are cut.' }),
});

export const EventProperties = Named('EventProperties', {
  properties: Type.Array(EventProperty, { description: 'Most frequent first, at most 500.' }),
  sampled: Count('How many events were sampled: the newest of the name, at most 200.'),
});

export const listEventProperties = route({
  id: 'listEventProperties',
  tag,
  versions,
  method: 'GET',
  path: '/event-names/{eventName}/properties',
  summary: 'Read the properties of an event',
  description: 'Which properties its newest events have, with their types, frequency and values.',
  pathParams: { eventName: 'Exactly as it is spelled, percent-encoded.' },
  data: EventProperties,
  paged: false,
  errors: ['NOT_FOUND'],
  example: {
    path: { eventName: exampleEvent.eventName },
    data: {
      properties: [
        { path: ['format'], types: ['text'], share: 1, examples: ['csv', 'pdf'] },
        { path: ['rows'], types: ['number'], share: 0.93, examples: [1200, 88] },
      ],
      sampled: 200,
    },
  },
});

export const eventReadRoutes = [listRecentEvents, listEventNames, listEventProperties] as const;
