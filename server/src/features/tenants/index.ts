export { createTenant } from './create-tenant.js';
export { createToken } from './create-token.js';
export { findAccount, findLiveToken, insertSendingDomain, isSendingDomain } from './queries.js';
export { tenantEndpoints } from './routes.js';
export { TokenUses } from './token-uses.js';
