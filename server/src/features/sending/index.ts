import { type SendingContext, SendingDesk } from './desk.js';
import { type DnsResolver, dnsResolver } from './dns/lookups.js';
import { giveKeys } from './domain-keys.js';
import type { Drawer } from './queries.js';
import { sendingEndpoints } from './routes.js';
import { countUnreadable } from './secrets.js';

export { SendingDesk } from './desk.js';
export { type DnsResolver, dnsResolver, type Lookups, unlessSilent, type Verdict } from './dns/lookups.js';
export { findSigners, type Signer } from './domain-keys.js';
export { findHook, type Hook } from './hooks.js';
export { linkBaseOf } from './link-names.js';
export {
  type DomainSummary,
  type Drawer,
  findFirstDomain,
  insertSendingDomain,
  isSendingDomain,
  selectApproved,
  selectUnverified,
  summarizeDomains,
} from './queries.js';
export { knownSecret, type Rotation, rotateSecrets, tenantSecret } from './secrets.js';
export type { SendingWarning } from './setup.js';
export { type OwnTransport, selectTransports } from './transports.js';

type Needs = Omit<SendingContext, 'resolver'> & {
  resolver?: DnsResolver | undefined;
  log?: { warn(facts: object, words: string): void };
  /** Where features above keep secrets. */
  drawers?: readonly Drawer[];
};

const unreadable =
  'secrets were encrypted under a key that is not here: give SECRET_KEY, SECRET_KEY_OLD or DATA_DIR/secret-key the keys of before, the same on all nodes';

/** Everything about sending but messages: domains with their keys and records, tenants' mail servers, providers' hooks. */
export function sending({ resolver = dnsResolver(), log, drawers = [], ...needs }: Needs) {
  const desk = new SendingDesk({ ...needs, resolver });
  return {
    desk,
    endpoints: sendingEndpoints(needs.db, desk),
    chores: [
      {
        name: 'DKIM keys',
        everyMs: 10_000,
        atStart: true,
        // Each takes 0.2 s of a processor: a large old installation gets all of them after a while.
        run: () => giveKeys(needs.db, needs.box, 10),
      },
      {
        name: 'readable secrets',
        everyMs: 3_600_000,
        atStart: true,
        everywhere: true,
        run: async () => {
          const secrets = await countUnreadable(needs.db.background, needs.box, drawers);
          if (secrets > 0) log?.warn({ secrets }, unreadable);
        },
      },
    ],
  };
}
