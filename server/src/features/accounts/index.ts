// People and how they sign in: passwords, second factors, invitations, single sign-on, and the sessions that come of it.
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Database } from '../../db/database.js';
import type { Clock } from '../../lib/clock.js';
import type { SecretBox } from '../../lib/secret-box.js';
import type { Transport } from '../../mail/transport.js';
import { inSteps } from '../../work/chores.js';
import { pagesOf } from './forms.js';
import { Invitations } from './invitations/invitations.js';
import { invitationPages } from './invitations/pages.js';
import { AccountMail } from './mail/account-mail.js';
import { profilePages } from './profile/pages.js';
import { resetPages } from './resets/pages.js';
import { Cookies } from './sessions/cookies.js';
import { Sessions } from './sessions/sessions.js';
import { sweepGuesses } from './throttle/queries.js';

export { acceptVouched, InvitationRefused, type Joined } from './invitations/accept.js';
export { type Invitation, type InvitationMade, Invitations } from './invitations/invitations.js';
export { Cookies } from './sessions/cookies.js';
export { type Session, Sessions, type Workspace } from './sessions/sessions.js';
export { forgiveTries, type Limit, networkOf, takeTry } from './throttle/throttle.js';

export interface AccountNeeds {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  box: SecretBox;
  baseUrl: () => string;
  /** After roles, accounts or tokens changed: this node knows at once. */
  forgetTokens(): void;
  /** The service's own: account mail leaves by SMTP or not at all. */
  transport: Transport;
  /** There is account mail to send. */
  wakeMail(): void;
  /** Who account mail is from. Unset: no-reply at `mailHost`, else at the host of the base URL. */
  mailFrom?: string | undefined;
  mailHost?: string | undefined;
}

export function accounts(needs: AccountNeeds) {
  const { db, clock, box, baseUrl, forgetTokens } = needs;
  const mail = new AccountMail({ ...needs, from: needs.mailFrom, wake: needs.wakeMail });
  const invitations = new Invitations({ db, baseUrl, mail });
  const sessions = new Sessions(db, clock, new Cookies(baseUrl), forgetTokens);
  const parts = [
    pagesOf(invitationPages({ db, clock, sessions, forgetTokens })),
    pagesOf(resetPages({ db, clock, baseUrl, mail, sessions })),
    pagesOf(profilePages({ db, clock, box, sessions })),
  ];
  return {
    sessions,
    invitations,
    serves: parts.flatMap(({ serves }) => serves),
    install: (http: FastifyInstance) => {
      for (const part of parts) part.install(http);
    },
    queues: mail.queues,
    chores: [
      {
        name: 'old guesses',
        everyMs: 600_000,
        run: (signal: AbortSignal) => inSteps((atMost: number) => sweepGuesses(db.background, atMost), signal),
      },
    ],
  };
}
