import { inSteps } from '../../work/chores.js';
import { type DnsResolver, dnsResolver } from './dns/lookups.js';
import { giveKeys } from './domain-keys.js';
import { type SendingContext, sendingEndpoints } from './routes.js';

export type { Provider } from '@rapport/contract';
export { type DnsResolver, dnsResolver } from './dns/lookups.js';
export { findSigners, type Signer } from './domain-keys.js';
export { findHook, type Hook } from './hooks.js';
export { insertSendingDomain, isSendingDomain, selectApproved } from './queries.js';
export { knownSecret, type Rotation, rotateSecrets, tenantSecret } from './secrets.js';
export { type OwnTransport, selectTransports } from './transports.js';

type Needs = Omit<SendingContext, 'resolver'> & { resolver?: DnsResolver | undefined };

/** What sending needs besides messages: domains with their keys and records, tenants' mail servers, providers' hooks. */
export function sending({ resolver = dnsResolver(), ...needs }: Needs) {
  const keys = (atMost: number) => giveKeys(needs.db, needs.box, atMost);
  return {
    endpoints: sendingEndpoints({ ...needs, resolver }),
    // Few at a time: each takes a processor for a moment.
    chores: [
      { name: 'DKIM keys', everyMs: 60_000, atStart: true, run: (signal: AbortSignal) => inSteps(keys, signal, 10) },
    ],
  };
}
