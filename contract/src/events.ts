// What contacts do in the product: events, received in batches and read per contact.
import { Type } from 'typebox';
import { type Param, paging } from './params.js';
import { both, onlyV2, route } from './route.js';
import { CheckedLater, EmailText, FreeObject, Instant, InstantText, Named, Nullable, Text, Words } from './schema.js';
import { Acknowledgement, exampleAcknowledgement } from './transactions.js';

export const ProductEvent = Named('ProductEvent', {
  userId: Nullable(Type.String({ description: 'Null when the event named only an email.' })),
  orgId: Nullable(Type.String()),
  eventName: Type.String(),
  eventDate: Instant,
  eventProperties: FreeObject,
});

export const EventResult = Named('EventResult', {
  eventId: Nullable(
    Type.String({ description: 'As it was sent, trimmed; null when none was, and once the person is erased.' }),
  ),
  status: Words(['STORED', 'DUPLICATE', 'FAILED'], 'DUPLICATE: an event with this id was stored in the last 30 days.'),
  error: Type.Optional(Type.String({ description: 'Why the event failed.' })),
});

export const EventTransaction = Named(
  'EventTransaction',
  {
    transactionId: Type.String({ description: 'As it was asked for.' }),
    status: Words(['PENDING', 'DONE', 'NOT_EXIST']),
    createdAt: Type.Optional(Instant),
    results: Type.Optional(Type.Array(EventResult, { description: 'Once DONE: one item per event, in their order.' })),
  },
  'An unknown transaction id answers the status NOT_EXIST and nothing else.',
);

const EventInput = Named(
  'EventInput',
  {
    eventId: Type.Optional(Text(255, { description: 'Makes repeats harmless for 30 days.' })),
    userId: Type.Optional(Text(255)),
    email: Type.Optional(EmailText),
    orgId: Type.Optional(Text(255)),
    eventName: Text(255),
    eventDate: Type.Optional({
      ...InstantText,
      description: 'RFC 3339; no offset means UTC, a date alone its midnight. By default the time of arrival.',
    }),
    eventProperties: Type.Optional({ ...FreeObject, description: 'Any JSON object of at most 32 KiB.' }),
  },
  'Names a user, an email, or both.',
);

const tag = 'Events';
export const exampleEvent = {
  userId: 'ada-1',
  orgId: 'acme',
  eventName: 'report_exported',
  eventDate: '2026-11-15T09:30:00.000Z',
  eventProperties: { format: 'csv', rows: 1200 },
};
const eventId = 'b7e1c9a2-5d4f-4c1e-9a53-2f6d8c0e7b14';

export const createEvents = route({
  id: 'createEvents',
  tag,
  method: 'POST',
  path: '/events',
  versions: onlyV2,
  summary: 'Record up to 1,000 product events',
  description:
    'Asynchronous: returns a transaction to poll at `/v2/events/transactions/{transactionId}`. An event names a user or an email that exists. An unknown `userId` together with the email of a contact creates the product user. A bad event ends FAILED with its reason; the others are stored.',
  body: Named('EventBatch', { events: Type.Array(CheckedLater(EventInput), { minItems: 1, maxItems: 1000 }) }),
  data: Acknowledgement,
  paged: false,
  errors: [],
  example: { body: { events: [{ eventId, ...exampleEvent }] }, data: exampleAcknowledgement },
});

export const getEventTransaction = route({
  id: 'getEventTransaction',
  tag,
  method: 'GET',
  path: '/events/transactions/{transactionId}',
  versions: onlyV2,
  summary: 'Poll a batch of events',
  description: 'Poll until `status` is DONE. Other writes do not exist here.',
  pathParams: { transactionId: 'From the acknowledgement.' },
  data: EventTransaction,
  paged: false,
  errors: [],
  example: {
    path: { transactionId: exampleAcknowledgement.transactionId },
    data: { ...exampleAcknowledgement, status: 'DONE', results: [{ eventId, status: 'STORED' }] },
  },
});

const bound = { kind: 'instant', repeatable: false } as const satisfies Omit<Param, 'description'>;
/** The window of an activity read. Both ends belong to it. */
export const activityWindow = {
  startTime: {
    ...bound,
    description: 'Earliest time, inclusive: RFC 3339; no offset means UTC, a date alone its midnight.',
  },
  endTime: { ...bound, description: 'Latest time, inclusive.' },
  ...paging,
} as const;

const id = '019a8b2c4d5e7f708192a3b4c5d6e7f8';
export const activityPath = { id: 'Contact id, 32 hex digits.' };

export const listProductActivity = route({
  id: 'listProductActivity',
  tag,
  method: 'GET',
  path: '/contacts/{id}/product-activity',
  versions: both,
  summary: 'List product events of a contact',
  description: 'Newest first. Empty for a contact without events, and for an unknown contact.',
  pathParams: activityPath,
  query: activityWindow,
  data: ProductEvent,
  paged: true,
  errors: [],
  example: { path: { id }, query: { startTime: '2026-11-01T00:00:00Z' }, data: [exampleEvent] },
});

export const eventRoutes = [createEvents, getEventTransaction, listProductActivity] as const;
