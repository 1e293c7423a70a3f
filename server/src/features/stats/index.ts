// Statistics of messages and journeys. Those features keep the counters; this one reads them, and has no tables of its own.
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { Database } from '../../db/database.js';
import type { Clock } from '../../lib/clock.js';
import { exportPaths, installStatsExports } from './reports/export-stats.js';
import { statsMetrics } from './reports/metrics.js';
import { reportEndpoints } from './reports/routes.js';
import { statsEndpoints } from './routes.js';

export { getOverview } from './reports/get-overview.js';
export { type Verified, verifyFigures } from './reports/verify-figures.js';

export interface StatsNeeds {
  db: Database;
  clock: Clock;
  registry: Registry;
  /** How many journeys one rollup covers. */
  rollupLimit: number;
}

// More would be too much for a spreadsheet, and a read that delays others.
const mostRows = 100_000;

export function stats({ db, clock, registry, rollupLimit }: StatsNeeds) {
  statsMetrics(registry, db.background);
  return {
    endpoints: [...statsEndpoints(db, rollupLimit), ...reportEndpoints(db, clock)],
    serves: exportPaths,
    install: (http: FastifyInstance) => installStatsExports(http, { db, clock, rollupLimit, mostRows }),
  };
}
