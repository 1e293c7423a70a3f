import * as contract from '@rapport/contract';
import type { Database } from '../../db/database.js';
import { type Endpoint, endpoint } from '../../http/endpoint.js';
import { getEmailStats } from './get-email-stats.js';
import { getJourneyRollup } from './get-journey-rollup.js';
import { getJourneyStats } from './get-journey-stats.js';
import { getTopicStats } from './get-topic-stats.js';
import { windowOf } from './window.js';

export function statsEndpoints(db: Database, rollupLimit: number): Endpoint[] {
  return [
    endpoint(contract.getJourneyStats, async ({ caller, params, query }) => ({
      data: await getJourneyStats(db, caller.tenantId, params.id, windowOf(query)),
    })),
    endpoint(contract.getJourneyRollup, async ({ caller, query }) => ({
      data: await getJourneyRollup(db, caller.tenantId, query, windowOf(query), rollupLimit),
    })),
    endpoint(contract.getEmailStats, async ({ caller, params, query }) => ({
      data: await getEmailStats(db, caller.tenantId, params.id, windowOf(query), query.interval ?? 'day'),
    })),
    endpoint(contract.getTopicStats, async ({ caller, params, query }) => ({
      data: await getTopicStats(db, caller.tenantId, params.topicId, windowOf(query), query.interval ?? 'day'),
    })),
  ];
}
