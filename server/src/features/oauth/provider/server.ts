// The authorization server as a whole: loaded on first use, and rebuilt when its keys change.
import { AsyncLocalStorage } from 'node:async_hooks';
import { hash, timingSafeEqual } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import type { FastifyBaseLogger } from 'fastify';
import type * as oidc from 'oidc-provider';
import type { Provider } from 'oidc-provider';
import { whyUnavailable } from '../../../db/connect.js';
import type { Database } from '../../../db/database.js';
import type { Clock } from '../../../lib/clock.js';
import { randomToken } from '../../../lib/random.js';
import type { SecretBox } from '../../../lib/secret-box.js';
import { networkOf, takeTry } from '../../accounts/index.js';
import type { GuardedFetch } from '../../webhooks/index.js';
import { loadKeys } from '../keys/keys.js';
import { findHolder } from '../queries.js';
import { resourcesOf, settingsFor } from './settings.js';

interface ServerNeeds {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  box: SecretBox;
  baseUrl: () => string;
  fetch: GuardedFetch;
  forgetTokens(): void;
}

// Milliseconds after which a node looks whether another one renewed the keys: much sooner than new ones sign.
const keysServe = 60_000;
const documentsPerHour = 120;

interface Built {
  provider: Provider;
  /** What it was built for. */
  version: string;
  staleAt: number;
}

export class AuthorizationServer {
  private built: Built | undefined;
  private building: Promise<Built> | undefined;
  /** Where the request comes from, if the library does not answer it itself. */
  private readonly from = new AsyncLocalStorage<string>();

  constructor(private readonly needs: ServerNeeds) {}

  /** What tokens for the API are for: `aud`, and the resource of RFC 8707. */
  get resource(): string {
    return this.needs.baseUrl();
  }

  get mcpResource(): string {
    return resourcesOf(this.resource).mcp;
  }

  get issuer(): string {
    return `${this.resource}/oauth`;
  }

  async get(): Promise<Provider> {
    const { built, needs } = this;
    if (built && built.staleAt > needs.clock.elapsed() && built.provider.issuer === this.issuer) return built.provider;
    this.building ??= this.build().finally(() => {
      this.building = undefined;
    });
    return (await this.building).provider;
  }

  /** An app, for a page of ours. Its document may have to be fetched again: another node has read it, or this one long ago. */
  async findClient(clientId: string, address: string) {
    const { Client } = await this.get();
    return this.from.run(address, () => Client.find(clientId));
  }

  private async build(): Promise<Built> {
    const { db, box, clock } = this.needs;
    const staleAt = clock.elapsed() + keysServe;
    const keys = await loadKeys(db, box);
    const version = `${this.issuer} ${keys.version}`;
    if (this.built?.version === version) this.built.staleAt = staleAt;
    else this.built = { provider: await this.make(keys), version, staleAt };
    return this.built;
  }

  private async make(keys: Awaited<ReturnType<typeof loadKeys>>): Promise<Provider> {
    const { db, log, fetch, forgetTokens } = this.needs;
    const { Provider, errors } = await load();
    const baseUrl = this.resource;
    const settings = settingsFor(
      {
        ...{ baseUrl, keys, fetch },
        findHolder: ({ tenantId, accountId }) => findHolder(db, tenantId, accountId),
        mayFetch: async (address = this.from.getStore() ?? '') =>
          (await takeTry(db, [
            { key: `client-document:${networkOf(address)}`, most: documentsPerHour, seconds: 3600 },
          ])) === 0,
        adapter: {
          ...{ db, forgetTokens, mcpResource: resourcesOf(baseUrl).mcp },
          route: () => Provider.ctx?.oidc.route,
          address: () => Provider.ctx?.ip ?? null,
          invalidGrant: (why) => new errors.InvalidGrant(why),
          invalidRequest: (why) => new errors.InvalidRequest(why),
        },
      },
      errors,
    );
    const provider = new Provider(this.issuer, settings);
    // What it relies on is set by the routes, never by the caller: see mount.ts.
    provider.proxy = true;
    provider.on('server_error', (ctx, err) => {
      const why = whyUnavailable(err);
      if (!why) return log.error({ err }, 'the authorization server failed');
      ctx.status = 503;
      ctx.set('retry-after', String(why.retryAfter));
      log.warn({ error: err.message }, 'request refused for now');
    });
    (provider as EventEmitter).on('error', (err: Error) => log.error({ err }, 'the authorization server failed'));
    adaptModels(provider);
    return provider;
  }
}

let loaded: Promise<typeof oidc> | undefined;

/** Loading takes a third of a second, which a start should not wait for. */
function load(): Promise<typeof oidc> {
  // Not in the first versions of Node 20.
  if (!Reflect.has(URL, 'parse'))
    Object.defineProperty(URL, 'parse', { value: (url: string) => (URL.canParse(url) ? new URL(url) : null) });
  loaded ??= quietly(() => import('oidc-provider'));
  return loaded;
}

/** The library warns on the operator's terminal of every Node version that it is not tested on. We test on all that we support. */
async function quietly<T>(act: () => Promise<T>): Promise<T> {
  const { warn } = console;
  console.warn = (...said: unknown[]) => {
    if (!String(said[0]).includes('Unsupported runtime')) warn.apply(console, said);
  };
  try {
    return await act();
  } finally {
    console.warn = warn;
  }
}

/** Where the library leaves no setting for it. */
function adaptModels(provider: Provider): void {
  const { AccessToken, Client } = provider;
  Object.defineProperty(AccessToken.prototype, 'generateTokenId', {
    value: function generateTokenId(this: { format?: string }) {
      this.format = 'opaque';
      return randomToken('rpt_app_');
    },
  });
  // Secrets are kept as their hashes.
  Object.defineProperty(Client.prototype, 'compareClientSecret', {
    value: function compareClientSecret(this: { clientSecret?: string }, given: unknown) {
      const [one, other] = [Buffer.from(hash('sha256', String(given))), Buffer.from(this.clientSecret ?? '')];
      return one.length === other.length && timingSafeEqual(one, other);
    },
  });
}
