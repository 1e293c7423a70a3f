// Work that waits, for operators. Bearer: ADMIN_TOKEN.
import { Type } from 'typebox';
import { paging } from './params.js';
import { adminRoute } from './route.js';
import { Instant, Named, Nullable } from './schema.js';

export const WaitingWork = Named('WaitingWork', {
  tenantId: Type.Integer(),
  queue: Type.String({ description: 'What serves it: `writes`, `search`.' }),
  kind: Type.String({ description: 'What it is: `contact.batch`, `event.batch`, `contact.import`, …' }),
  waiting: Type.Integer({ description: 'How many. Parts of an import count as one.' }),
  since: Type.Unsafe<string>({ ...Instant, description: 'When the oldest came.' }),
  attempts: Type.Integer({ description: 'How often the oldest has failed.' }),
  lastError: Nullable(
    Type.String({ description: 'Why it last failed. Null if it did not, or waits for the database.' }),
  ),
  dueAt: Nullable(
    Type.String({ format: 'date-time', description: 'When it is tried again. Null: as soon as it is its turn.' }),
  ),
});

export const listWork = adminRoute({
  id: 'listWork',
  tag: 'Administration',
  method: 'GET',
  path: '/admin/work',
  summary: 'List what waits to be done',
  description: 'By tenant and kind, longest waiting first. The same figures, without tenants, are in /metrics.',
  query: paging,
  data: WaitingWork,
  paged: true,
  errors: [],
  example: {
    data: [
      {
        tenantId: 1,
        queue: 'writes',
        kind: 'contact.batch',
        waiting: 12,
        since: '2026-11-15T09:29:58.120Z',
        attempts: 0,
        lastError: null,
        dueAt: null,
      },
    ],
  },
});

export const operationRoutes = [listWork];
