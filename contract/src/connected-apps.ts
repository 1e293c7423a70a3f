// Connected apps: those that people allowed to act for them by OAuth.
import { Type } from 'typebox';
import { paging } from './params.js';
import { onlyV2, route } from './route.js';
import { AccountId, Instant, Named, Nullable, Words } from './schema.js';

const tag = 'Connected apps';

/** What an app may be allowed to do at /mcp, in the order in which it is shown. */
export const agentScopes = ['read', 'people', 'write', 'send'] as const;
export type AgentScope = (typeof agentScopes)[number];

const appId = '5f1c0ffee0123456789abcdef0123456789abcdef0123456789abcdef0123456';

export const ConnectedApp = Named('ConnectedApp', {
  appId: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'The id of this connection: an app that was allowed twice is listed twice.',
  }),
  name: Type.String({ description: 'What the app calls itself.' }),
  clientId: Type.String({ description: 'An `https` address if the app has a metadata document.' }),
  backTo: Type.String({
    description: 'Where the app sends people back to: a host, or the scheme of an app on their device.',
  }),
  scopes: Type.Array(Words(['READ', 'WRITE', ...agentScopes]), {
    description:
      'READ and WRITE are for the API, the others for `/mcp`. A viewer gets those that read at most, whatever was asked for.',
  }),
  accountId: AccountId,
  accountName: Type.String({ description: 'Who allowed it: it acts for them.' }),
  createdAt: Instant,
  usedAt: Nullable(Instant),
  expiresAt: Instant,
});

const example = {
  appId,
  name: 'Example Assistant',
  clientId: 'https://assistant.example/oauth/client.json',
  backTo: 'assistant.example',
  scopes: ['READ'],
  accountId: 1,
  accountName: 'Ada Lovelace',
  createdAt: '2026-11-15T09:30:00.000Z',
  usedAt: '2026-11-16T08:00:00.000Z',
  expiresAt: '2027-11-15T09:30:00.000Z',
};

export const listConnectedApps = route({
  id: 'listConnectedApps',
  tag,
  method: 'GET',
  path: '/connected-apps',
  versions: onlyV2,
  summary: 'List connected apps',
  description: 'Your own; an admin sees those of the whole workspace. Newest first.',
  query: paging,
  data: ConnectedApp,
  paged: true,
  errors: [],
  example: { data: [example] },
});

export const disconnectApp = route({
  id: 'disconnectApp',
  tag,
  method: 'DELETE',
  path: '/connected-apps/{appId}',
  versions: onlyV2,
  summary: 'Disconnect an app',
  description: "Its tokens end within 5 s. One's own; an admin disconnects any of the workspace.",
  pathParams: { appId: 'Id of the connection, 64 hex digits.' },
  data: Named('DisconnectedApp', { appId: Type.String(), success: Type.Boolean() }),
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path: { appId }, data: { appId, success: true } },
});

export const connectedAppRoutes = [listConnectedApps, disconnectApp];
