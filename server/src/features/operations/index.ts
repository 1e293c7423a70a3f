import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { Database } from '../../db/database.js';
import type { Guard } from '../../http/guard.js';
import type { Clock } from '../../lib/clock.js';
import type { Queue } from '../../work/queue.js';
import { installOperatorPage, operatorPaths } from './operator-page.js';
import { operationEndpoints } from './routes.js';
import { countReplicaReads, watchWork } from './watch-work.js';

interface OperationNeeds {
  db: Database;
  /** Every queue there is; filled by the app. */
  queues: readonly Queue[];
  registry: Registry;
  log: FastifyBaseLogger;
  clock: Clock;
  /** Who is an operator. */
  guard: Guard;
}

/** What an operator sees of the work: `watch` is told how it ends. */
export function operations({ db, queues, registry, log, clock, guard }: OperationNeeds) {
  countReplicaReads(db, registry);
  return {
    endpoints: operationEndpoints(db, queues),
    serves: operatorPaths,
    install: (http: FastifyInstance) => installOperatorPage(http, { db, queues, clock, guard }),
    watch: watchWork(db, queues, registry, log),
  };
}
