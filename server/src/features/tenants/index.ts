import type { Database } from '../../db/database.js';
import type { Caller } from '../../http/endpoint.js';
import { TokenCache } from '../../http/token-cache.js';
import type { Clock } from '../../lib/clock.js';
import { findToken } from './find-token.js';
import { tenantEndpoints } from './routes.js';
import { TokenUses } from './token-uses.js';

export { createTenant } from './create-tenant.js';
export { createToken, type NewToken, revokeToken } from './create-token.js';
export { getTenant, isNumber } from './get-tenant.js';
export { findAccount, findLiveToken, findTenant, selectTenantsAfter, type TokenRow } from './queries.js';
export { timeZoneOf } from './time-zone.js';
export { updateTenant } from './update-tenant.js';

/** Tenants, and who calls: `findCaller` knows the bearer of a token. */
export function tenants({ db, clock }: { db: Database; clock: Clock }) {
  const uses = new TokenUses(db.background, clock);
  const tokens = new TokenCache((tokenHash) => findToken(db, tokenHash), clock);
  const noted = (caller: Caller | undefined) => {
    if (caller) uses.note(caller);
    return caller;
  };
  return {
    endpoints: tenantEndpoints(db, () => tokens.clear()),
    chores: [{ name: 'token uses', everyMs: 5000, everywhere: true, run: () => uses.flush() }],
    close: () => uses.flush(),
    /** After tokens, roles or accounts changed: felt here at once, and elsewhere within 5 s. */
    forgetTokens: () => tokens.clear(),
    findCaller: (token: string) => {
      const caller = tokens.get(token);
      return caller instanceof Promise ? caller.then(noted) : noted(caller);
    },
  };
}
