export { type Acknowledgement, Acknowledger } from './acknowledge.js';
export { type Applier, Appliers, type Outcome, type PresentedWrite } from './appliers.js';
export {
  type PendingWrite,
  scrubFailures,
  selectFailedTransactions,
  selectFailures,
  sweepTransactions,
} from './queries.js';
export { readTransaction } from './read-transaction.js';
export { serveTenant } from './serve-tenant.js';
