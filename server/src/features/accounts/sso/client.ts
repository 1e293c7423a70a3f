// Talks OpenID Connect to identity providers. Every request goes through the guards of webhooks: strangers choose the address.
import type { ClientAuth, Configuration } from 'openid-client';
import type { Clock } from '../../../lib/clock.js';
import { isSoundText } from '../../../lib/text.js';
import { explainFailure, type GuardedFetch, withoutAddresses } from '../../webhooks/index.js';

/** Loaded only by those who use it. */
const loadClient = () => import('openid-client');

export interface ProviderAddress {
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
}

/** What goes there and must come back. */
interface Exchange {
  redirectUri: string;
  state: string;
  nonce: string;
  verifier: string;
}

/** What a provider says about a person. */
export interface Claims {
  subject: string;
  email: string | undefined;
  isEmailVerified: boolean;
  name: string | undefined;
}

/** Why it does not work, as the end of a sentence that begins with the issuer. */
export class ProviderFault extends Error {
  override readonly name = 'ProviderFault';
}

const patienceSeconds = 5;
const longestSubject = 255;
// Milliseconds that metadata is kept; keys have rules of their own.
const freshFor = 600_000;
const mostKept = 200;

export class ProviderClients {
  private readonly kept = new Map<string, { config: Promise<Configuration>; until: number }>();

  constructor(
    private readonly fetch: GuardedFetch,
    private readonly clock: Clock,
  ) {}

  /** Throws ProviderFault if it does not answer as a provider does. */
  async check(provider: ProviderAddress): Promise<void> {
    await this.discover(provider);
  }

  /** Where to send a browser. Throws ProviderFault. */
  async startUrl(provider: ProviderAddress, { redirectUri, state, nonce, verifier }: Exchange): Promise<string> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await loadClient();
    const config = await this.configOf(provider);
    const url = buildAuthorizationUrl(config, {
      ...{ redirect_uri: redirectUri, scope: 'openid email profile', state, nonce },
      ...{ code_challenge: await calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
    });
    if (!['https:', 'http:'].includes(url.protocol)) throw new ProviderFault('leads nowhere');
    return url.href;
  }

  /** Who came back. `query`: what the provider added to our address. Throws ProviderFault. */
  async finish(provider: ProviderAddress, exchange: Exchange, query: string): Promise<Claims> {
    const { authorizationCodeGrant, fetchUserInfo } = await loadClient();
    const config = await this.configOf(provider);
    try {
      const tokens = await authorizationCodeGrant(config, new URL(`${exchange.redirectUri}?${query}`), {
        ...{ pkceCodeVerifier: exchange.verifier, expectedState: exchange.state, expectedNonce: exchange.nonce },
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new ProviderFault('did not say who it is');
      // As in the standard; and PostgreSQL stores no text with NUL.
      if (claims.sub.length > longestSubject || !isSoundText(claims.sub))
        throw new ProviderFault('named somebody by an id that is too long, or no text');
      // Many give the address only when asked.
      const said =
        claims.email === undefined && config.serverMetadata().userinfo_endpoint
          ? await fetchUserInfo(config, tokens.access_token, claims.sub)
          : claims;
      return {
        subject: claims.sub,
        email: typeof said.email === 'string' ? said.email : undefined,
        // Some, such as Entra ID, leave this claim out. If it is there, it must be true.
        isEmailVerified: said.email_verified === undefined || [true, 'true'].includes(said.email_verified as string),
        name: typeof said.name === 'string' ? said.name : undefined,
      };
    } catch (error) {
      throw faultOf(error);
    }
  }

  private configOf(provider: ProviderAddress): Promise<Configuration> {
    const key = JSON.stringify([provider.issuer, provider.clientId, provider.clientSecret]);
    const known = this.kept.get(key);
    if (known && known.until > this.clock.elapsed()) return known.config;
    const config = this.discover(provider);
    this.kept.delete(key);
    this.kept.set(key, { config, until: this.clock.elapsed() + freshFor });
    if (this.kept.size > mostKept) this.kept.delete(this.kept.keys().next().value as string);
    config.catch(() => this.kept.delete(key));
    return config;
  }

  private async discover({ issuer, clientId, clientSecret }: ProviderAddress): Promise<Configuration> {
    const client = await loadClient();
    const isPlain = issuer.startsWith('http:');
    const auth = clientSecret === undefined ? client.None() : await secretAuth(clientSecret);
    try {
      const config = await client.discovery(new URL(issuer), clientId, undefined, auth, {
        [client.customFetch]: (url, { body, signal, ...rest }) =>
          this.fetch(url, { ...rest, body: body ?? null, signal: signal ?? null }),
        timeout: patienceSeconds,
        execute: [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])],
      });
      const named = config.serverMetadata().issuer;
      // Some have one issuer for all of their customers, who could then speak for each other's people.
      if (new URL(named).href !== new URL(issuer).href) throw new ProviderFault(`calls itself ${named}: use that`);
      return config;
    } catch (error) {
      throw faultOf(error);
    }
  }
}

/** The way that the provider supports: in the body, or in the header if it does not say. */
async function secretAuth(secret: string): Promise<ClientAuth> {
  const { ClientSecretBasic, ClientSecretPost } = await loadClient();
  const [post, basic] = [ClientSecretPost(secret), ClientSecretBasic(secret)];
  return (server, ...rest) =>
    server.token_endpoint_auth_methods_supported?.includes('client_secret_post')
      ? post(server, ...rest)
      : basic(server, ...rest);
}

/** System errors only: the library's errors contain addresses. */
const isSystemCode = (code: unknown) => typeof code === 'string' && /^E[A-Z]+$/.test(code);

function faultOf(error: unknown): ProviderFault {
  if (error instanceof ProviderFault) return error;
  const causes: Error[] = [];
  for (let each = error; each instanceof Error && causes.length < 5; each = each.cause) causes.push(each);
  const forbidden = causes.find(({ name }) => name === 'BadTarget');
  if (forbidden) return new ProviderFault(forbidden.message, { cause: error });
  const words = causes
    .map((each) => ('code' in each && isSystemCode(each.code) ? explainFailure(each) : each.message))
    .map((text) => withoutAddresses(text).replace(/\.$/, ''))
    .filter((text) => text !== 'something went wrong');
  return new ProviderFault(`did not answer as an OpenID Connect provider does (${words.join('; ')})`, { cause: error });
}
