import type { FastifyBaseLogger } from 'fastify';
import type { Registry } from 'prom-client';
import type { Database } from '../../db/database.js';
import type { Queue } from '../../work/queue.js';
import { operationEndpoints } from './routes.js';
import { countReplicaReads, watchWork } from './watch-work.js';

interface OperationNeeds {
  db: Database;
  /** Every queue there is; filled by the app. */
  queues: readonly Queue[];
  registry: Registry;
  log: FastifyBaseLogger;
}

/** What an operator sees of the work: `watch` is told how it ends. */
export function operations({ db, queues, registry, log }: OperationNeeds) {
  countReplicaReads(db, registry);
  return { endpoints: operationEndpoints(db, queues), watch: watchWork(db, queues, registry, log) };
}
