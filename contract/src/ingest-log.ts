// Segment calls that were accepted and then refused. The calls themselves are outside the versions: docs/segment.md.
import { Type } from 'typebox';
import { paging } from './params.js';
import { onlyV2, route } from './route.js';
import { Instant, Named, Nullable } from './schema.js';

export const IngestRefusal = Named('IngestRefusal', {
  receivedAt: Instant,
  call: Type.String({ description: 'The type of the message: `track`, `identify`, …' }),
  messageId: Nullable(Type.String()),
  userId: Nullable(Type.String()),
  reason: Type.String(),
});

export const listIngestLog = route({
  id: 'listIngestLog',
  tag: 'Events',
  method: 'GET',
  path: '/ingest-log',
  versions: onlyV2,
  summary: 'List refused Segment calls',
  description:
    'Segment’s clients get 200 for every call, as they expect. What could not be applied is here for 30 days, newest first.',
  query: paging,
  data: IngestRefusal,
  paged: true,
  errors: [],
  example: {
    data: [
      {
        receivedAt: '2026-11-15T09:30:00.000Z',
        call: 'track',
        messageId: 'node-next-1763199000000-5d4f4c1e',
        userId: 'ada-1',
        reason: 'No such user. Create it first, or send the email of its contact along.',
      },
    ],
  },
});

export const ingestRoutes = [listIngestLog] as const;
