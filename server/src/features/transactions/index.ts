export { type Acknowledgement, Acknowledger } from './acknowledge.js';
export { type Applier, Appliers, type Outcome, type PresentedWrite, type Presenter } from './appliers.js';
export { applyPending } from './apply-pending.js';
export { installExports } from './export-errors.js';
export {
  finishWrites,
  insertFailures,
  lockTenant,
  type PendingWrite,
  scrubFailures,
  selectFailedTransactions,
  selectFailures,
  storeProgress,
  sweepTransactions,
} from './queries.js';
export { readTransaction } from './read-transaction.js';
export { errorCode, passes, serveTenant } from './serve-tenant.js';
