// How the authorization server behaves: OAuth 2.1, and the parts of OpenID Connect that tell an app who a person is.
import { agentScopes } from '@rapport/contract';
import type { Configuration, errors as Errors, KoaContextWithOIDC } from 'oidc-provider';
import type { GuardedFetch } from '../../webhooks/index.js';
import type { Keys } from '../keys/keys.js';
import type { Holder } from '../queries.js';
import { readSubject, type Subject } from '../subject.js';
import { type AdapterNeeds, adapterFor } from './adapter.js';
import { readClient } from './client-rules.js';
import { renderError } from './error-page.js';

/** Seconds. */
export const lifetimes = {
  accessToken: 900,
  code: 60,
  /** For a refresh token that is not used. */
  refreshToken: 30 * 86_400,
  /** How long an app stays allowed without asking again. */
  grant: 365 * 86_400,
  /** For a person to sign in and decide. */
  interaction: 3600,
};

const apiScopes = ['READ', 'WRITE'] as const;

/** What apps may ask for. READ and WRITE are those of personal tokens, for the API; those of agents are for /mcp. */
export const appScopes = ['openid', 'offline_access', 'email', 'profile', ...apiScopes, ...agentScopes] as const;

/** What tokens are for (RFC 8707). `api` is the address of the service. */
interface Resources {
  api: string;
  mcp: string;
}

export function resourcesOf(baseUrl: string): Resources {
  return { api: baseUrl, mcp: `${baseUrl}/mcp` };
}

/** The resource that is meant, if it is one of ours. */
function resourceNamed({ api, mcp }: Resources, name: string): string | undefined {
  const plain = name.replace(/\/$/, '');
  return [api, mcp].find((each) => each === plain);
}

interface SettingNeeds {
  baseUrl: string;
  keys: Keys;
  adapter: AdapterNeeds;
  fetch: GuardedFetch;
  findHolder(subject: Subject): Promise<Holder | undefined>;
  /** Whether a metadata document may be fetched for this request now. Undefined: the library is not answering one. */
  mayFetch(address: string | undefined): Promise<boolean>;
}

export function settingsFor(needs: SettingNeeds, errors: typeof Errors): Configuration {
  const { baseUrl, keys, fetch } = needs;
  return {
    adapter: (kind) => adapterFor(kind, needs.adapter),
    jwks: keys.jwks as NonNullable<Configuration['jwks']>,
    cookies: {
      keys: keys.cookies,
      names: { session: 'rapport_oauth', interaction: 'rapport_interaction', resume: 'rapport_resume' },
      long: { httpOnly: true, sameSite: 'lax', path: `${new URL(baseUrl).pathname.replace(/\/$/, '')}/oauth` },
    },
    routes: {
      ...{ authorization: '/authorize', token: '/token', revocation: '/revoke', introspection: '/introspect' },
      ...{ jwks: '/jwks', registration: '/register', userinfo: '/userinfo' },
    },
    scopes: [...appScopes],
    claims: { openid: ['sub'], email: ['email'], profile: ['name'] },
    responseTypes: ['code'],
    pkce: { required: () => true },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientDefaults: { grant_types: ['authorization_code'], response_types: ['code'] },
    extraClientMetadata: { properties: ['software_id'], validator: checkClient(errors) },
    ttl: {
      ...{ AccessToken: lifetimes.accessToken, AuthorizationCode: lifetimes.code, IdToken: lifetimes.accessToken },
      ...{ RefreshToken: lifetimes.refreshToken, Grant: lifetimes.grant, Interaction: lifetimes.interaction },
      Session: lifetimes.interaction,
    },
    rotateRefreshToken: (ctx) => mayRotate(ctx, resourcesOf(baseUrl), errors),
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    // Ending any token ends the grant: the person sees it gone, and the app asks again.
    revokeGrantPolicy: () => true,
    interactions: { url: (_ctx, { uid }) => `${baseUrl}/oauth/consent/${uid}` },
    findAccount: (_ctx, sub) => findAccount(needs, sub),
    features: featuresFor(needs, errors),
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256'] },
    clientBasedCORS: mayReadFrom,
    renderError,
    fetch: (url, options) => fetch(String(url), options),
    fetchResponseBodyLimits: { 'client_id metadata document': 64 * 1024 },
    allowOmittingSingleRegisteredRedirectUri: false,
  };
}

/** Which of the library's features are used here. */
function featuresFor({ baseUrl, mayFetch }: SettingNeeds, { InvalidTarget }: typeof Errors): Configuration['features'] {
  const resources = resourcesOf(baseUrl);
  return {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    // Only an app's own tokens; about others it learns nothing, not even that they exist.
    revocation: { enabled: true, allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId },
    introspection: {
      enabled: true,
      allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId,
    },
    registration: { enabled: true, issueRegistrationAccessToken: false },
    clientIdMetadataDocument: {
      ...{ enabled: true, ack: 'draft-02' },
      allowFetch: (ctx: KoaContextWithOIDC | undefined) => mayFetch(ctx?.ip),
      cacheDuration: { min: 300, max: 86_400 },
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: async (_ctx, _client, several) => oneOf(resources, several),
      useGrantedResource: async () => true,
      getResourceServerInfo: async (_ctx, resource) => {
        const audience = resourceNamed(resources, resource);
        if (audience === undefined)
          throw new InvalidTarget(
            `resource must be ${resources.api} or ${resources.mcp}: tokens for others are not given out here`,
          );
        // With what OpenID Connect adds, because userinfo is a part of the API.
        const scopes = audience === resources.mcp ? agentScopes : ['openid', 'email', 'profile', ...apiScopes];
        return {
          ...{ scope: scopes.join(' '), audience },
          ...{ accessTokenFormat: 'opaque', accessTokenTTL: lifetimes.accessToken },
        };
      },
    },
  };
}

/** Of several resources the API is taken, if it is one of them. */
function oneOf({ api }: Resources, several: readonly string[] | undefined): string {
  return several === undefined || several.includes(api) ? api : (several[0] ?? api);
}

/**
 * Always, but not for a resource that the token is not for: the library uses the old token up first, and refuses afterwards. It asks
 * here in between.
 */
function mayRotate({ oidc }: KoaContextWithOIDC, resources: Resources, { InvalidTarget }: typeof Errors): true {
  const asked = oidc.params?.resource;
  const resource = Array.isArray(asked) ? oneOf(resources, asked) : asked;
  if (resource && !oidc.entities.RefreshToken?.resourceIndicators.has(String(resource))) throw new InvalidTarget();
  return true;
}

async function findAccount({ findHolder }: SettingNeeds, sub: string) {
  const subject = readSubject(sub);
  const holder = subject && (await findHolder(subject));
  if (!holder) return undefined;
  return { accountId: sub, claims: async () => ({ sub, name: holder.name, email: holder.email ?? undefined }) };
}

/** Called for an app that registers, and for one whose document was fetched: beside the property that it is named for, all are looked at. */
function checkClient({ InvalidClientMetadata, InvalidRedirectUri }: typeof Errors) {
  return (_ctx: unknown, key: string, value: unknown, metadata: Record<string, unknown>): void => {
    if (value !== undefined && (typeof value !== 'string' || value.length > 200))
      throw new InvalidClientMetadata(`${key} must be text of at most 200 characters`);
    const { fault, isNative } = readClient(metadata);
    if (fault?.includes('redirect_uris')) throw new InvalidRedirectUri(fault);
    if (fault !== undefined) throw new InvalidClientMetadata(fault);
    if (isNative) metadata.application_type = 'native';
    widenScope(metadata);
  };
}

/**
 * An app that registers for some scopes of agents may ask for the others later: it learns from a 403 what else it needs, and the person
 * decides each time.
 */
function widenScope(metadata: Record<string, unknown>): void {
  const named = typeof metadata.scope === 'string' ? metadata.scope.split(' ') : [];
  if (agentScopes.some((scope) => named.includes(scope)))
    metadata.scope = [...new Set([...named, ...agentScopes, 'offline_access'])].join(' ');
}

/** Pages may call from the origins that their app sends people back to: an app without a secret is identified only by those. */
function mayReadFrom(
  { oidc }: KoaContextWithOIDC,
  origin: string,
  client: { redirectUris?: readonly string[] | undefined },
): boolean {
  if (oidc.route === 'introspection') return false;
  return (client.redirectUris ?? []).some((uri) => URL.canParse(uri) && new URL(uri).origin === origin);
}
