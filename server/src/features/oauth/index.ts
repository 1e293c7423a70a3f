// OAuth 2.1: apps that people allow, and the tokens that apps get. An authorization server on oidc-provider, stored in our database.
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Database } from '../../db/database.js';
import type { Clock } from '../../lib/clock.js';
import type { SecretBox } from '../../lib/secret-box.js';
import { inSteps } from '../../work/chores.js';
import type { Sessions } from '../accounts/index.js';
import type { GuardedFetch } from '../webhooks/index.js';
import { consentPages } from './approval/routes.js';
import { connectedAppPages } from './connected-apps/pages.js';
import { connectedAppEndpoints } from './connected-apps/routes.js';
import { renewKeys } from './keys/keys.js';
import { endpointPaths, mount } from './mount.js';
import { AuthorizationServer } from './provider/server.js';
import { sweepClients, sweepExpired, sweepGrants } from './queries.js';
import { installResourceMetadata, metadataPaths } from './resource-metadata.js';

export { appNameSql } from './connected-apps/queries.js';
export { oauthDrawers } from './keys/queries.js';
export { endGrantsOfAccount, endGrantsOfPerson, holdGrantOf, touchGrants } from './queries.js';

export interface OAuthNeeds {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  box: SecretBox;
  baseUrl: () => string;
  sessions: Sessions;
  /** For what apps publish about themselves, at addresses that anyone can choose. */
  fetch: GuardedFetch;
  /** Called after tokens end, so that this node knows at once. */
  forgetTokens(): void;
}

// Days after which an app that registered and was never let in is forgotten.
const unusedDays = 30;

export function oauth(needs: OAuthNeeds) {
  const { db, box } = needs;
  const { background } = db;
  const server = new AuthorizationServer(needs);
  const pages = [consentPages({ ...needs, server }), connectedAppPages(needs)];
  const sweeps = [
    (atMost: number) => sweepExpired(background, atMost),
    (atMost: number) => sweepGrants(background, atMost),
    (atMost: number) => sweepClients(background, unusedDays, atMost),
  ];
  return {
    endpoints: connectedAppEndpoints(needs),
    serves: [...endpointPaths, ...metadataPaths, ...pages.flatMap((page) => page.serves)],
    install: (http: FastifyInstance) => {
      mount(http, { ...needs, server });
      for (const page of pages) page.install(http);
      installResourceMetadata(http, server);
    },
    chores: [
      {
        name: 'old connected apps',
        everyMs: 600_000,
        run: async (signal: AbortSignal) => {
          for (const sweep of sweeps) await inSteps(sweep, signal);
        },
      },
      { name: 'keys of connected apps', everyMs: 3_600_000, run: () => renewKeys(background, box) },
    ],
  };
}
