// Who is calling: the account behind a token, its workspace, and what the token may do.
import { Type } from 'typebox';
import { onlyV2, route } from './route.js';
import { Instant, Named, Nullable, Words } from './schema.js';
import { roles, tokenScopes } from './tenants.js';

const tokenKinds = ['personal', 'app', 'session', 'outside'] as const;

export const Me = Named('Me', {
  account: Named('Myself', {
    accountId: Type.Integer(),
    name: Type.String(),
    email: Nullable(Type.String()),
    role: Words(roles, '`admin` may do everything, `member` everything but manage the workspace, `viewer` only reads.'),
  }),
  workspace: Named('MyWorkspace', {
    tenantId: Type.Integer(),
    name: Type.String(),
    timeZone: Nullable(Type.String({ description: 'Unset: UTC.' })),
  }),
  token: Named('MyToken', {
    kind: Words(
      tokenKinds,
      '`personal`: a personal access token. `app`: an app got it through OAuth. `session`: of a signed-in browser. `outside`: another issuer made it.',
    ),
    scopes: Type.Array(Words(tokenScopes), { description: 'Those that the role of the account still allows.' }),
    expiresAt: Nullable(Instant),
    tokenId: Nullable(Type.Integer({ description: 'null: the token is not kept here.' })),
  }),
  workspaces: Type.Array(
    Named('OtherWorkspace', { tenantId: Type.Integer(), name: Type.String(), role: Words(roles) }),
    {
      description:
        'The other workspaces of this person, by name. None for an account that a program uses, and if an identity provider signed the person in: it speaks only for its own workspace.',
    },
  ),
});

export const getMe = route({
  id: 'getMe',
  tag: 'Workspace',
  method: 'GET',
  path: '/me',
  versions: onlyV2,
  summary: 'Show who is calling',
  description: 'The account, the workspace and the rights of the token that this request was sent with.',
  data: Me,
  paged: false,
  errors: ['NOT_FOUND'],
  example: {
    data: {
      account: { accountId: 1, name: 'Ada Lovelace', email: 'ada@example.com', role: 'admin' },
      workspace: { tenantId: 1, name: 'Acme', timeZone: 'Europe/Berlin' },
      token: { kind: 'personal', scopes: ['READ', 'WRITE'], expiresAt: null, tokenId: 1 },
      workspaces: [{ tenantId: 2, name: 'Acme Labs', role: 'member' }],
    },
  },
});

export const meRoutes = [getMe] as const;
