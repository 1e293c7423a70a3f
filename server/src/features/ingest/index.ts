import type { FastifyInstance } from 'fastify';
import type { Database } from '../../db/database.js';
import { hearing } from '../../db/news.js';
import { inSteps } from '../../work/chores.js';
import type { Acknowledger } from '../transactions/index.js';
import { usersChanged } from '../users/index.js';
import { segmentApplier } from './apply-batches.js';
import { callSections } from './export-calls.js';
import { sweepRefusals, sweepWaiting } from './queries.js';
import { ingestEndpoints, ingestPaths, installIngest } from './routes.js';
import { onUsersChanged } from './settle-users.js';

export { countRefusedLately } from './queries.js';

interface IngestNeeds {
  db: Database;
  acknowledger: Acknowledger;
  onMonths(months: Iterable<number>): void;
  /** How long the log keeps what was refused. */
  logDays: number;
}

export function ingest({ db, acknowledger, onMonths, logDays }: IngestNeeds) {
  const sweeping = (sweep: (atMost: number) => Promise<number>) => (signal: AbortSignal) => inSteps(sweep, signal);
  return {
    endpoints: ingestEndpoints(db),
    serves: ingestPaths,
    install: (http: FastifyInstance) => installIngest(http, acknowledger),
    appliers: [segmentApplier(onMonths)],
    hears: [hearing(usersChanged, onUsersChanged)],
    exporters: callSections,
    chores: [
      { name: 'ingest log', everyMs: 60_000, run: sweeping((atMost) => sweepRefusals(db.background, logDays, atMost)) },
      { name: 'waiting users', everyMs: 60_000, run: sweeping((atMost) => sweepWaiting(db.background, atMost)) },
    ],
  };
}
