// Personal access tokens that people make for themselves. An admin sees and revokes those of everyone.
import { Type } from 'typebox';
import { paging } from './params.js';
import { onlyV2, route } from './route.js';
import { AccountName, Instant, InstantText, Named, Nullable, Text, Words } from './schema.js';
import { AllowedAddresses, AllowedAddressesBody, TokenScopes, tokenScopes } from './tenants.js';

const tokenFields = {
  tokenId: Type.Integer(),
  name: Type.String(),
  account: AccountName,
  scopes: Type.Array(Words(tokenScopes)),
  allowedAddresses: AllowedAddresses,
  createdAt: Instant,
  expiresAt: Nullable(Instant),
  lastUsedAt: Nullable(Instant),
  revokedAt: Nullable(Instant),
};
export const PersonalToken = Named('PersonalToken', tokenFields);
export const NewPersonalToken = Named('NewPersonalToken', {
  token: Type.String({ description: 'Shown this once.' }),
  ...tokenFields,
});

const token = {
  tokenId: 7,
  name: 'CRM sync',
  account: { accountId: 1, name: 'Ada Lovelace' },
  scopes: ['READ', 'WRITE'],
  allowedAddresses: ['203.0.113.0/24'],
  createdAt: '2026-11-15T09:30:00.000Z',
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
};
const tag = 'Tokens';

export const listPersonalTokens = route({
  id: 'listPersonalTokens',
  tag,
  method: 'GET',
  path: '/tokens',
  versions: onlyV2,
  summary: 'List personal access tokens',
  description:
    'Newest first, revoked ones included; never the token itself. Your own, and for an admin those of every account. Tokens of apps are under connected apps.',
  query: paging,
  data: PersonalToken,
  paged: true,
  errors: [],
  example: { data: [token] },
});
export const createPersonalToken = route({
  id: 'createPersonalToken',
  tag,
  method: 'POST',
  path: '/tokens',
  versions: onlyV2,
  summary: 'Create a personal access token',
  description:
    'It acts for your account and can do no more than the token that this request was sent with: its scopes are among those, and a token that is limited to some addresses only makes tokens for the same ones. The answer is the only place where it is ever shown.',
  body: Type.Object({
    name: Text(255),
    scopes: TokenScopes,
    expiresAt: Type.Optional(InstantText),
    allowedAddresses: AllowedAddressesBody,
  }),
  data: NewPersonalToken,
  paged: false,
  errors: [],
  example: {
    body: {
      name: 'CRM sync',
      scopes: ['READ', 'WRITE'],
      allowedAddresses: ['203.0.113.0/24'],
    },
    data: { token: 'rpt_pat_q3Zt0yVh0m2cYw1rJ8Xk5bN7sD4fG6hLpA9uE1iO2xT', ...token },
  },
});
export const revokePersonalToken = route({
  id: 'revokePersonalToken',
  tag,
  method: 'DELETE',
  path: '/tokens/{tokenId}',
  versions: onlyV2,
  summary: 'Revoke a personal access token',
  description: 'One of your own, or as an admin any. Takes effect on every node within 5 seconds.',
  pathParams: { tokenId: 'Token number.' },
  data: Type.Object({ tokenId: Type.Integer(), success: Type.Boolean() }),
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path: { tokenId: '7' }, data: { tokenId: 7, success: true } },
});

export const tokenRoutes = [listPersonalTokens, createPersonalToken, revokePersonalToken] as const;
