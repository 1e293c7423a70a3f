// What people see when they open the console: whether the workspace is set up, and what needs attention. Asks other features, and has no
// tables of its own.
import * as contract from '@rapport/contract';
import type { Database } from '../../db/database.js';
import { endpoint } from '../../http/endpoint.js';
import type { Clock } from '../../lib/clock.js';
import { type OpenAlerts, readHealth } from './read-health.js';

export function home({ db, clock, openAlerts }: { db: Database; clock: Clock; openAlerts: OpenAlerts }) {
  return {
    endpoints: [
      endpoint(contract.getWorkspaceHealth, async ({ caller }) => ({
        data: await readHealth(db, openAlerts, caller.tenantId, clock.now().toISOString()),
      })),
    ],
  };
}
