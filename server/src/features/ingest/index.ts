export { segmentApplier, segmentWriteKind } from './apply-batches.js';
export { eraseIngested } from './erase-ingested.js';
export { forgetUsers as forgetIngested, sweepRefusals, sweepWaiting } from './queries.js';
export { ingestEndpoints, ingestPaths, installIngest } from './routes.js';
export { settleUsers } from './settle-users.js';
