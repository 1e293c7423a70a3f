// Broadcasts side by side.
import { Type } from 'typebox';
import { exampleCounts, Rates, statsCounts, statsWindow } from './figures.js';
import { paging } from './params.js';
import { onlyV2, route } from './route.js';
import { AssetId, Instant, Named } from './schema.js';

export const BroadcastStatsRow = Named('BroadcastStatsRow', {
  broadcastId: AssetId(),
  name: Type.String({ description: 'For a deleted broadcast, the name that it had.' }),
  startedAt: Instant,
  ...statsCounts,
  rates: Rates,
});

export const listStatsBroadcasts = route({
  id: 'listStatsBroadcasts',
  tag: 'Statistics',
  method: 'GET',
  path: '/stats/broadcasts',
  versions: onlyV2,
  summary: 'Compare broadcasts',
  description: 'Each broadcast with counts in the window, deleted ones too. Newest first.',
  query: { ...statsWindow, ...paging },
  snakeCase: true,
  data: BroadcastStatsRow,
  paged: true,
  errors: [],
  example: {
    query: { startTime: '2026-11-01T00:00:00Z' },
    data: [
      {
        ...{ broadcastId: '019a8b2c4d5e6f708192a3d1', name: 'November news', startedAt: '2026-11-14T08:00:00.000Z' },
        ...exampleCounts({ sent: 1000, delivered: 985, uniqueOpened: 410, opened: 640 }),
        rates: {
          deliveryRate: 0.985,
          openRate: 0.416,
          clickRate: 0,
          clickToOpenRate: 0,
          bounceRate: 0,
          unsubscribeRate: 0,
        },
      },
    ],
  },
});
