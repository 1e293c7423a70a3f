import * as contract from '@rapport/contract';
import type { Database } from '../../../db/database.js';
import { type Endpoint, endpoint, pageOf } from '../../../http/endpoint.js';
import type { Clock } from '../../../lib/clock.js';
import { windowOf } from '../window.js';
import { getFunnel } from './get-funnel.js';
import { getOverview } from './get-overview.js';
import { listBroadcasts, listDomains, listEmails, listLinks } from './list-reports.js';

export function reportEndpoints(db: Database, clock: Clock): Endpoint[] {
  return [
    endpoint(contract.getStatsOverview, async ({ caller, query }) => ({
      data: await getOverview(db, caller.tenantId, query, clock.now().toISOString()),
    })),
    endpoint(contract.listStatsDomains, ({ caller, query }) =>
      listDomains(db, caller.tenantId, windowOf(query), pageOf(query)),
    ),
    endpoint(contract.listStatsEmails, ({ caller, query }) =>
      listEmails(db, caller.tenantId, windowOf(query), pageOf(query)),
    ),
    endpoint(contract.listStatsBroadcasts, ({ caller, query }) =>
      listBroadcasts(db, caller.tenantId, windowOf(query), pageOf(query)),
    ),
    endpoint(contract.listStatsLinks, ({ caller, query }) =>
      listLinks(db, caller.tenantId, query.emailId, windowOf(query), pageOf(query)),
    ),
    endpoint(contract.getJourneyFunnel, async ({ caller, params, query }) => ({
      data: await getFunnel(db, caller.tenantId, params.id, windowOf(query)),
    })),
  ];
}
