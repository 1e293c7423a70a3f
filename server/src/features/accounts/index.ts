// People and how they sign in: passwords, second factors, invitations, single sign-on, and the sessions that come of it.
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../db/database.js';
import type { Clock } from '../../lib/clock.js';
import type { SecretBox } from '../../lib/secret-box.js';
import { inSteps } from '../../work/chores.js';
import { Cookies } from './sessions/cookies.js';
import { Sessions } from './sessions/sessions.js';
import { sweepGuesses } from './throttle/queries.js';

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
}

export function accounts({ db, clock, baseUrl, forgetTokens }: AccountNeeds) {
  const sessions = new Sessions(db, clock, new Cookies(baseUrl), forgetTokens);
  return {
    sessions,
    chores: [
      {
        name: 'old guesses',
        everyMs: 600_000,
        run: (signal: AbortSignal) => inSteps((atMost: number) => sweepGuesses(db.background, atMost), signal),
      },
    ],
  };
}
