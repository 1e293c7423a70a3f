import type { FastifyInstance } from 'fastify';
import type { Database } from '../../db/database.js';
import { inSteps } from '../../work/chores.js';
import type { Appliers } from './appliers.js';
import { installExports } from './export-errors.js';
import type { Handover } from './handover.js';
import { sweepTransactions } from './queries.js';
import { writeQueue } from './write-queue.js';

export { Acknowledger, type Write } from './acknowledge.js';
export type { Acknowledgement } from './acknowledgement.js';
export {
  type Applier,
  Appliers,
  type Failure,
  type LongApplier,
  type Present,
  type PresentedWrite,
  type Presenter,
  type Progress,
  type ShownBy,
  type Step,
  type WriteOutcome,
} from './appliers.js';
export { AtOnce } from './at-once/at-once.js';
export { EarlierWrites } from './earlier-writes.js';
export { bodyOf, Handover } from './handover.js';
export {
  type FinishedResults,
  replaceResults,
  scrubFailures,
  selectFailedTransactions,
  selectFailures,
  selectFailuresOf,
  selectResults,
  selectResultsFrom,
} from './outcomes/queries.js';
export { countOverdue, selectPayloads, selectPendingLong } from './pending/queries.js';
export {
  findTransaction,
  insertWrites,
  type LongWrite,
  listTransactions,
  type NewWrite,
  type PendingWrite,
  selectAcknowledged,
  type TransactionRow,
  writeTransactionTable,
} from './queries.js';
export { readTransaction } from './read-transaction.js';
export { serveTenant, writeQueue } from './write-queue.js';

interface TransactionNeeds {
  db: Database;
  appliers: Appliers;
  handover: Handover;
  /** How long finished ones stay readable. */
  keptDays: number;
}

/** Acknowledged writes. */
export function transactions({ db, appliers, handover, keptDays }: TransactionNeeds) {
  const sweep = (atMost: number) => sweepTransactions(db.background, keptDays, atMost);
  return {
    queues: [writeQueue(db.background, appliers, handover)],
    chores: [{ name: 'old transactions', everyMs: 60_000, run: (signal: AbortSignal) => inSteps(sweep, signal) }],
    install: (http: FastifyInstance) => installExports(http, db, appliers),
  };
}
