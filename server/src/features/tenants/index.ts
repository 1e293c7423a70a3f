import type { Database, Runner } from '../../db/database.js';
import type { Caller } from '../../http/endpoint.js';
import { TokenCache } from '../../http/token-cache.js';
import type { Clock } from '../../lib/clock.js';
import { findToken } from './find-token.js';
import type { OutsideSettings } from './outside/claims.js';
import type { KeyLog } from './outside/issuer-keys.js';
import { OutsideTokens } from './outside/outside-tokens.js';
import type { AddressOfPerson } from './queries.js';
import { tenantEndpoints } from './routes.js';
import { TokenUses } from './token-uses.js';
import type { GrantUse } from './tokens/queries.js';

export { getBranding, readBranding, setBranding, setEmailTheme } from './branding/branding.js';
export { type Branding, brandingOf, findEmailTheme } from './branding/queries.js';
export { createTenant } from './create-tenant.js';
export { createToken, type NewToken, revokeToken } from './create-token.js';
export { getTenant, isNumber } from './get-tenant.js';
export {
  adoptAccount,
  holdWorkspace,
  insertMembership,
  lockSeat,
  type Membership,
  markBySso,
  renameAccounts,
  selectMemberships,
  selectOthers,
  setDeactivated,
  updateAccount,
} from './members/queries.js';
export { selectAccountNames, selectTenantNames } from './names/queries.js';
export type { OutsideSettings } from './outside/claims.js';
export {
  accountNames,
  accountShown,
  accountTable,
  activeAccounts,
  findAccount,
  findLiveToken,
  findTenant,
  members,
  selectTenantsAfter,
  selectTokens,
  type TokenRow,
  tenantTable,
} from './queries.js';
export { type DefaultSender, findDefaultSender, updateDefaultSender } from './sender/queries.js';
export { timeZoneOf } from './time-zone.js';
export {
  findAllowedAddresses,
  findAppToken,
  type GrantUse,
  grantOfToken,
  hasLiveToken,
  holdTokensOf,
  insertSessionToken,
  intoAppTokens,
  lastUse,
  revokeTokens,
  revokeTokensOf,
  sessionOfToken,
  sweepTokens,
} from './tokens/queries.js';
export { updateTenant } from './update-tenant.js';

export interface TenantNeeds {
  db: Database;
  clock: Clock;
  log: KeyLog;
  /** Another issuer whose tokens are accepted, too. */
  outside?: OutsideSettings | undefined;
  /** The address that a person signs in with. */
  addressOfPerson: AddressOfPerson;
  /** Is told which grants of apps were used. */
  onGrants: (db: Runner, uses: readonly GrantUse[]) => Promise<void>;
}

/** Tenants, and who calls: `findCaller` finds the bearer of a token. */
export function tenants({ db, clock, log, outside, addressOfPerson, onGrants }: TenantNeeds) {
  const uses = new TokenUses(db.background, clock, onGrants);
  const others = outside && new OutsideTokens(db, clock, outside, addressOfPerson, log);
  const findOutside = others && ((token: string, tokenHash: string) => others.find(token, tokenHash));
  const tokens = new TokenCache((tokenHash) => findToken(db, tokenHash), clock, findOutside);
  const noted = (caller: Caller | undefined) => {
    if (caller) uses.note(caller);
    return caller;
  };
  return {
    endpoints: tenantEndpoints(db, () => tokens.clear()),
    chores: [{ name: 'token uses', everyMs: 5000, everywhere: true, run: () => uses.flush() }],
    close: () => uses.flush(),
    /** Called after tokens, roles or accounts change: takes effect here at once, and elsewhere within 5 s. */
    forgetTokens: () => tokens.clear(),
    findCaller: (token: string) => {
      const caller = tokens.get(token);
      return caller instanceof Promise ? caller.then(noted) : noted(caller);
    },
  };
}
