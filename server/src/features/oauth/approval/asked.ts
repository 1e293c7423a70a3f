// What an app asks for, read from the authorization server and put in words.
import { type AgentScope, agentScopes, type Role } from '@rapport/contract';
import type { Interaction } from 'oidc-provider';
import { appScopes } from '../provider/settings.js';

interface App {
  clientId: string;
  /** What it calls itself, which can be anything. */
  name: string;
  /** Where it sends people back to: a host, or the scheme of an app on their device. */
  backTo: string;
  /** The host that vouches for it by a metadata document; undefined if it registered by itself. */
  vouchedBy: string | undefined;
  /** It can stay connected: it gets refresh tokens. */
  stays: boolean;
}

export interface AskedAccess {
  app: App;
  scopes: string[];
  resource: string[];
  /** Of agents: what the person can tick, one by one. */
  agentScopes: AgentScope[];
  /** For the page's policy: where its form may lead to in the end. */
  formTarget: string;
}

interface KnownClient {
  clientId: string;
  clientName?: string | undefined;
  grantTypeAllowed(type: string): boolean;
}

export function readAsked({ params }: Interaction, client: KnownClient, mcpResource: string): AskedAccess {
  const redirect = new URL(String(params.redirect_uri));
  const isWeb = redirect.protocol === 'https:' || redirect.protocol === 'http:';
  const vouchedBy = /^https:\/\//i.test(client.clientId) ? new URL(client.clientId).host : undefined;
  const backTo = isWeb ? redirect.host : `${redirect.protocol}//`;
  const asked = String(params.scope ?? '').split(' ');
  const resource = [params.resource].flat().filter((each) => typeof each === 'string');
  const isForMcp = resource.length > 0 && resource.every((each) => each.replace(/\/$/, '') === mcpResource);
  return {
    app: {
      ...{ clientId: client.clientId, vouchedBy, backTo, stays: client.grantTypeAllowed('refresh_token') },
      name: client.clientName?.trim() || vouchedBy || backTo,
    },
    scopes: appScopes.filter((scope) => asked.includes(scope)),
    resource,
    agentScopes: isForMcp ? agentScopes.filter((scope) => asked.includes(scope)) : [],
    formTarget: formTargetOf(redirect, isWeb),
  };
}

/** A policy cannot name an IPv6 address. */
function formTargetOf(redirect: URL, isWeb: boolean): string {
  return isWeb && !redirect.hostname.startsWith('[') ? redirect.origin : redirect.protocol;
}

/**
 * Whether the app wants a recent sign-in, and this person's was too long before it asked. The time they take to sign in and read does not
 * count: with a short `max_age` they would never finish.
 */
export function isTooOld({ params, iat = 0 }: Interaction, signedInAt: string): boolean {
  const since = Date.parse(signedInAt) / 1000;
  const prompts = String(params.prompt ?? '').split(' ');
  if (prompts.includes('login') && since < iat) return true;
  return params.max_age !== undefined && since < iat - Number(params.max_age);
}

const changing = new Set(['WRITE', 'write', 'send']);

/** What the account's role allows of it. */
export function withinRole(scopes: readonly string[], role: Role): string[] {
  return scopes.filter((scope) => !changing.has(scope) || role !== 'viewer');
}

/** What an app may do at /mcp, in words for people. */
export const agentWords: Readonly<Record<AgentScope, { can: string; what: string }>> = {
  read: {
    can: 'Read',
    what: 'lists, journeys, emails and statistics, with counts and explanations; people appear only masked, such as a…@example.com',
  },
  people: {
    can: 'See people',
    what: 'the names, the addresses and all the properties of your contacts',
  },
  write: {
    can: 'Draft and change',
    what: 'emails, lists, drafts of journeys and, if it also sees people, contacts; nothing that reaches anyone',
  },
  send: {
    can: 'Reach people',
    what: 'activate, resume, pause and stop journeys, enroll contacts and send emails, each after showing you a plan of who it reaches',
  },
};

/** What each scope means, in words for people. */
export function inWords(scopes: readonly string[], roles: readonly Role[]): { can: string; what: string }[] {
  const isAdmin = roles.includes('admin');
  return [
    ...(scopes.includes('READ')
      ? [{ can: 'Read', what: 'contacts, lists, events, emails, journeys, messages and statistics' }]
      : []),
    ...(scopes.includes('WRITE') && roles.some((role) => role !== 'viewer')
      ? [
          {
            can: 'Change',
            what: `add, change and erase contacts, edit emails and journeys, start and stop them, and send messages${isAdmin ? '; because you are an admin, also settings and people' : ''}`,
          },
        ]
      : []),
    ...(['openid', 'email', 'profile'].some((scope) => scopes.includes(scope))
      ? [{ can: 'Know who you are', what: 'your name and your email address' }]
      : []),
  ];
}
