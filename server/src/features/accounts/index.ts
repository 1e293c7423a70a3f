// People and how they sign in: passwords, second factors, invitations, single sign-on, and sessions.
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Database } from '../../db/database.js';
import type { Served } from '../../http/paths.js';
import type { Clock } from '../../lib/clock.js';
import type { SecretBox } from '../../lib/secret-box.js';
import type { Transport } from '../../mail/transport.js';
import { type Chore, inSteps } from '../../work/chores.js';
import type { DnsResolver } from '../sending/index.js';
import { sweepTokens } from '../tenants/index.js';
import type { GuardedFetch } from '../webhooks/index.js';
import { FirstAdmin } from './first-admin.js';
import { Invitations } from './invitations/invitations.js';
import { invitationPages } from './invitations/pages.js';
import { linkPages } from './links/pages.js';
import { sweepLinks } from './links/queries.js';
import { AccountMail } from './mail/account-mail.js';
import { profileRoutes } from './profile/routes.js';
import { resetPages } from './resets/pages.js';
import type { EndGrants } from './resets/resets.js';
import { personDrawers } from './second-factor/queries.js';
import { Cookies } from './sessions/cookies.js';
import { sessionPages } from './sessions/pages.js';
import { sweepSessions } from './sessions/queries.js';
import { sessionRoutes } from './sessions/routes.js';
import { Sessions } from './sessions/sessions.js';
import { signInPages } from './sign-in/routes.js';
import { SignIn } from './sign-in/sign-in.js';
import { ProviderClients } from './sso/client.js';
import { recheckProofs } from './sso/domains/domains.js';
import { ssoPages } from './sso/pages.js';
import { providerDrawers, sweepAttempts } from './sso/queries.js';
import { providerEndpoints } from './sso/routes.js';
import { sweepGuesses } from './throttle/queries.js';

export { FirstAdmin } from './first-admin.js';
export { type FormFields, type Pages, pagesOf, queryOf, refuseForm } from './forms.js';
export { acceptVouched, InvitationRefused, type Joined } from './invitations/accept.js';
export { type Invitation, type InvitationMade, Invitations } from './invitations/invitations.js';
export { revokeWrittenBy as endInvitationsBy, selectInvitedAddresses } from './invitations/queries.js';
export { dropLinks, makeLink, signInUrl } from './links/links.js';
export { makeOperatorLink, type OperatorLink } from './links/operator.js';
export { AccountMail } from './mail/account-mail.js';
export { harmless, type Letter } from './mail/letters.js';
export { findReader } from './mail/queries.js';
export { StopLinks } from './mail/stop-links.js';
export { stopPages } from './mail/stop-pages.js';
export { home, leadOn, safeNext, withNext } from './next.js';
export {
  addressOfPerson,
  findPerson,
  findPersonByEmail,
  insertPerson,
  type PersonRow,
  personTable,
} from './people/queries.js';
export { removeSecondFactor } from './second-factor/second-factor.js';
export { Cookies } from './sessions/cookies.js';
export { leaveSessions, sessionTable } from './sessions/queries.js';
export { type Arrival, type Session, Sessions, type Workspace } from './sessions/sessions.js';
export { callbackUrlOf, type Offer, providersFor } from './sso/providers.js';
export { forgiveTries, giveTryBack, type Limit, networkOf, takeTry } from './throttle/throttle.js';

export interface AccountNeeds {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  box: SecretBox;
  baseUrl: () => string;
  /** For issuers, whose addresses strangers choose. */
  fetch: GuardedFetch;
  /** For domains of single sign-on. */
  resolver: DnsResolver;
  endGrants: EndGrants;
  /** Called after roles, accounts or tokens change, so that this node knows at once. */
  forgetTokens(): void;
  /** The service's own: account mail leaves by SMTP or not at all. */
  transport: Transport;
  /** There is account mail to send. */
  wakeMail(): void;
  /** Who account mail is from. Unset: no-reply at `mailHost`, else at the host of the base URL. */
  mailFrom?: string | undefined;
  mailHost?: string | undefined;
}

/** Where sealed secrets are stored, so that all of them can move to a new key. */
export const accountDrawers = [...personDrawers, ...providerDrawers];

/** What a part of this feature brings. */
interface Part {
  serves: readonly Served[];
  install(http: FastifyInstance): void;
  chores?: readonly Chore[];
}

export function accounts(needs: AccountNeeds) {
  const { db, clock, baseUrl, forgetTokens } = needs;
  const sessions = new Sessions(db, clock, new Cookies(baseUrl), forgetTokens);
  const firstAdmin = new FirstAdmin(db, baseUrl);
  const signIn = new SignIn({ ...needs, sessions });
  const mail = new AccountMail({ ...needs, from: needs.mailFrom, wake: needs.wakeMail });
  const sso = { ...needs, sessions, clients: new ProviderClients(needs.fetch, clock) };
  const parts: Part[] = [
    signInPages(signIn, firstAdmin),
    linkPages(signIn),
    sessionPages({ ...needs, sessions }),
    sessionRoutes({ ...needs, sessions }, firstAdmin),
    invitationPages({ ...needs, sessions }),
    resetPages({ ...needs, sessions, mail }),
    profileRoutes({ ...needs, sessions }),
    ssoPages(sso),
  ];
  const sweep = (name: string, step: (atMost: number) => Promise<number>): Chore => ({
    ...{ name, everyMs: 600_000, run: (signal) => inSteps(step, signal) },
  });
  return {
    sessions,
    mail,
    invitations: new Invitations({ db, baseUrl, mail }),
    queues: mail.queues,
    endpoints: providerEndpoints(sso),
    serves: parts.flatMap((part) => part.serves),
    install: (http: FastifyInstance) => {
      for (const part of parts) part.install(http);
    },
    chores: [
      ...parts.flatMap((part) => part.chores ?? []),
      sweep('old attempts of single sign-on', (atMost) => sweepAttempts(db.background, atMost)),
      {
        ...{ name: 'domains of single sign-on', everyMs: 3_600_000 },
        run: (signal: AbortSignal) => recheckProofs(db, needs.resolver, signal),
      },
      sweep('old guesses', (atMost) => sweepGuesses(db.background, atMost)),
      sweep('old sessions', (atMost) => sweepSessions(db.background, atMost)),
      sweep('old links', (atMost) => sweepLinks(db.background, atMost)),
      sweep('tokens of apps and browsers', (atMost) => sweepTokens(db.background, atMost)),
    ],
    close: () => signIn.settle(),
  };
}
