// Administration: tenants, their accounts and tokens. Bearer: ADMIN_TOKEN.
import { Type } from 'typebox';
import { paging } from './params.js';
import { adminRoute } from './route.js';
import { EmailText, Instant, InstantText, Named, Nullable, Text, Words } from './schema.js';

const RateLimit = Type.Integer({
  minimum: 1,
  maximum: 1_000_000,
  description: 'Requests a second, all credentials of the tenant together. Default 1000.',
});

export const Tenant = Named('Tenant', {
  tenantId: Type.Integer(),
  name: Type.String(),
  rateLimit: Type.Integer(),
  timeZone: Nullable(Type.String({ description: 'Its default time zone. Unset: UTC.' })),
});
export const roles = ['admin', 'member', 'viewer'] as const;
/** What an account may do: `admin` everything, `member` everything but manage the workspace, `viewer` only reads. */
export type Role = (typeof roles)[number];
export const Account = Named('Account', {
  accountId: Type.Integer({ description: 'The `createdBy` and `updatedBy` of what this account makes.' }),
  name: Type.String(),
  email: Nullable(Type.String()),
});
export const tokenScopes = ['READ', 'WRITE', 'INGEST'] as const;
export type TokenScope = (typeof tokenScopes)[number];
export const TokenScopes = Type.Array(Words(tokenScopes), {
  minItems: 1,
  maxItems: 2,
  uniqueItems: true,
  description: 'INGEST cannot be combined: such a key works only on `/ingest`, so that a web page may contain it.',
});
/** On a token in an answer. */
export const AllowedAddresses = Nullable(Type.Array(Type.String()), 'It works only from these. null: from anywhere.');
/** On a token in a request. */
export const AllowedAddressesBody = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 64, trim: true, lowerCase: true }), {
    minItems: 1,
    maxItems: 50,
    description:
      'It works only from these: IPv4 and IPv6 addresses, and networks such as 203.0.113.0/24. Left out: from anywhere.',
  }),
);
const tokenFields = {
  tokenId: Type.Integer(),
  name: Type.String(),
  scopes: Type.Array(Words(tokenScopes)),
  accountId: Type.Integer(),
  allowedAddresses: AllowedAddresses,
  createdAt: Instant,
  expiresAt: Nullable(Instant),
  lastUsedAt: Nullable(Instant),
  revokedAt: Nullable(Instant),
};
export const Token = Named('Token', tokenFields);
export const NewToken = Named('NewToken', { token: Type.String({ description: 'Shown this once.' }), ...tokenFields });

const tenant = { tenantId: 1, name: 'Acme', rateLimit: 1000, timeZone: 'Europe/Berlin' };
const account = { accountId: 1, name: 'Ada Lovelace', email: 'ada@example.com' };
const token = {
  tokenId: 1,
  name: 'CRM sync',
  scopes: ['READ', 'WRITE'],
  accountId: 1,
  allowedAddresses: null,
  createdAt: '2026-11-15T09:30:00.000Z',
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
};
const ofTenant = { tenantId: 'Tenant number.' };
const path = { tenantId: '1' };
const tag = 'Administration';

export const TimeZone = Text(64, {
  description: 'A name of the time zone database, such as Europe/Berlin. null: none.',
});
const TenantBody = Type.Object({
  name: Text(255),
  rateLimit: Type.Optional(RateLimit),
  timeZone: Type.Optional(Nullable(TimeZone)),
});

export const createTenant = adminRoute({
  id: 'createTenant',
  tag,
  method: 'POST',
  path: '/admin/tenants',
  summary: 'Create a tenant',
  description: 'Its first account, named Owner, is made with it.',
  body: TenantBody,
  data: Tenant,
  paged: false,
  errors: [],
  example: { body: { name: 'Acme', rateLimit: 1000, timeZone: 'Europe/Berlin' }, data: tenant },
});
export const listTenants = adminRoute({
  id: 'listTenants',
  tag,
  method: 'GET',
  path: '/admin/tenants',
  summary: 'List tenants',
  description: 'Newest first.',
  query: paging,
  data: Tenant,
  paged: true,
  errors: [],
  example: { data: [tenant] },
});
export const updateTenant = adminRoute({
  id: 'updateTenant',
  tag,
  method: 'PATCH',
  path: '/admin/tenants/{tenantId}',
  summary: 'Rename a tenant, set its rate limit or its time zone',
  description: 'Null clears the time zone, and takes the rate limit back to its default.',
  pathParams: ofTenant,
  body: Type.Partial(Type.Object({ ...TenantBody.properties, rateLimit: Nullable(RateLimit) })),
  data: Tenant,
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path, body: { rateLimit: 1000 }, data: tenant },
});

export const createAccount = adminRoute({
  id: 'createAccount',
  tag,
  method: 'POST',
  path: '/admin/tenants/{tenantId}/accounts',
  summary: 'Create an account',
  pathParams: ofTenant,
  body: Type.Object({ name: Text(255), email: Type.Optional(EmailText) }),
  data: Account,
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path, body: { name: 'Ada Lovelace', email: 'ada@example.com' }, data: account },
});
export const listAccounts = adminRoute({
  id: 'listAccounts',
  tag,
  method: 'GET',
  path: '/admin/tenants/{tenantId}/accounts',
  summary: 'List accounts',
  description: 'Oldest first.',
  pathParams: ofTenant,
  query: paging,
  data: Account,
  paged: true,
  errors: ['NOT_FOUND'],
  example: { path, data: [account] },
});

export const createToken = adminRoute({
  id: 'createToken',
  tag,
  method: 'POST',
  path: '/admin/tenants/{tenantId}/tokens',
  summary: 'Create a personal access token',
  description: 'The answer is the only place where the token is ever shown.',
  pathParams: ofTenant,
  body: Type.Object({
    name: Text(255),
    scopes: TokenScopes,
    expiresAt: Type.Optional(InstantText),
    allowedAddresses: AllowedAddressesBody,
    accountId: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: "The tenant's first account by default.",
      }),
    ),
  }),
  data: NewToken,
  paged: false,
  errors: ['NOT_FOUND'],
  example: {
    path,
    body: { name: 'CRM sync', scopes: ['READ', 'WRITE'] },
    data: { token: 'rpt_pat_q3Zt0yVh0m2cYw1rJ8Xk5bN7sD4fG6hLpA9uE1iO2xT', ...token },
  },
});
export const listTokens = adminRoute({
  id: 'listTokens',
  tag,
  method: 'GET',
  path: '/admin/tenants/{tenantId}/tokens',
  summary: 'List personal access tokens',
  description: 'Newest first, revoked ones included. Never the token itself.',
  pathParams: ofTenant,
  query: paging,
  data: Token,
  paged: true,
  errors: ['NOT_FOUND'],
  example: { path, data: [token] },
});
export const revokeToken = adminRoute({
  id: 'revokeToken',
  tag,
  method: 'DELETE',
  path: '/admin/tenants/{tenantId}/tokens/{tokenId}',
  summary: 'Revoke a personal access token',
  description: 'Takes effect on every node within 5 seconds.',
  pathParams: { ...ofTenant, tokenId: 'Token number.' },
  data: Type.Object({ tokenId: Type.Integer(), success: Type.Boolean() }),
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path: { ...path, tokenId: '1' }, data: { tokenId: 1, success: true } },
});

export const tenantRoutes = [
  createTenant,
  listTenants,
  updateTenant,
  createAccount,
  listAccounts,
  createToken,
  listTokens,
  revokeToken,
] as const;
