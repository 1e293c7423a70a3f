// Single sign-on of a workspace: which OpenID Connect providers speak for its people.
import { Type } from 'typebox';
import { paging } from './params.js';
import { onlyV2, route } from './route.js';
import { Instant, Named, Nullable, Success, Text, Words } from './schema.js';
import { recordStates } from './sending.js';
import { roles } from './tenants.js';

const tag = 'Identity providers';

const DomainText = Type.String({
  minLength: 3,
  maxLength: 253,
  trim: true,
  lowerCase: true,
  pattern: '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z0-9-]{2,63}$',
  form: 'must be a domain such as example.com',
  description: 'Such as example.com: the part after the @.',
});
const joinsAsNote = 'The role of a person who was not invited. null: they are turned away.';
const isRequiredNote = 'People of its domains can enter this workspace in no other way.';

export const DomainProof = Named('DomainProof', {
  domain: Type.String(),
  isProven: Type.Boolean({ description: 'People with an address of this domain are led to the provider.' }),
  record: Type.Object({ type: Type.Literal('TXT'), name: Type.String(), value: Type.String() }),
  state: Words(recordStates, 'What the last check found. `unknown`: none was made, or DNS did not answer.'),
  detail: Type.String({ description: 'What that means, in words.' }),
  checkedAt: Nullable(Instant),
});

export const IdentityProvider = Named('IdentityProvider', {
  providerId: Type.Integer(),
  name: Type.String(),
  issuer: Type.String(),
  clientId: Type.String(),
  hasClientSecret: Type.Boolean({ description: 'The secret itself is never shown.' }),
  domains: Type.Array(Type.String()),
  domainProofs: Type.Array(DomainProof, {
    description: 'What to publish in DNS for each of `domains`, and whether it was found.',
  }),
  isRequired: Type.Boolean({ description: isRequiredNote }),
  joinsAs: Nullable(Words(roles, joinsAsNote)),
  callbackUrl: Type.String({ description: 'To be registered with the provider as a redirect URI.' }),
  signInUrl: Type.String({ description: 'Where people sign in through it.' }),
  createdAt: Instant,
});

const Body = Type.Object({
  name: Text(100, { description: 'What people call it. They see it where they sign in.' }),
  issuer: Text(500, { description: 'As in its own metadata, such as https://id.example.com. Must be https.' }),
  clientId: Text(255, { description: 'What the provider calls this service.' }),
  clientSecret: Type.Optional(Nullable(Text(1000, { description: 'Never shown again. null for a public client.' }))),
  domains: Type.Array(DomainText, {
    minItems: 1,
    maxItems: 20,
    description: 'It speaks only for addresses of these domains.',
  }),
  isRequired: Type.Optional(Type.Boolean({ description: `${isRequiredNote} Sign in through it once before.` })),
  joinsAs: Type.Optional(Nullable(Words(roles, joinsAsNote))),
});

const example = {
  providerId: 1,
  name: 'Acme directory',
  issuer: 'https://id.example.com',
  clientId: 'rapport',
  hasClientSecret: true,
  domains: ['example.com'],
  domainProofs: [
    {
      domain: 'example.com',
      isProven: true,
      record: {
        type: 'TXT',
        name: '_rapport-sso.example.com',
        value: 'rapport-sso=q3Zt0yVh0m2cYw1rJ8Xk5bN7sD4fG6hL',
      },
      state: 'found',
      detail: 'The domain is yours. Keep the record: it is looked up again every day.',
      checkedAt: '2026-11-15T09:40:00.000Z',
    },
  ],
  isRequired: false,
  joinsAs: 'member',
  callbackUrl: 'https://rapport.example.com/oauth/sso/1/callback',
  signInUrl: 'https://rapport.example.com/oauth/sso/1/1',
  createdAt: '2026-11-15T09:30:00.000Z',
};
const pathParams = { providerId: 'Identity provider number.' };
const path = { providerId: '1' };

export const createIdentityProvider = route({
  id: 'createIdentityProvider',
  tag,
  method: 'POST',
  path: '/identity-providers',
  versions: onlyV2,
  adminOnly: true,
  summary: 'Let people sign in through an OpenID Connect provider',
  description: 'Its metadata is read at once: an issuer that does not answer is refused. At most 20.',
  body: Body,
  data: IdentityProvider,
  paged: false,
  errors: ['INVALID_STATE'],
  example: {
    body: {
      ...{ name: 'Acme directory', issuer: 'https://id.example.com', clientId: 'rapport', clientSecret: 'a-secret' },
      ...{ domains: ['example.com'], joinsAs: 'member' },
    },
    data: example,
  },
});

export const listIdentityProviders = route({
  id: 'listIdentityProviders',
  tag,
  method: 'GET',
  path: '/identity-providers',
  versions: onlyV2,
  adminOnly: true,
  summary: 'List identity providers',
  description: 'Newest first.',
  query: paging,
  data: IdentityProvider,
  paged: true,
  errors: [],
  example: { data: [example] },
});

export const updateIdentityProvider = route({
  id: 'updateIdentityProvider',
  tag,
  method: 'PATCH',
  path: '/identity-providers/{providerId}',
  versions: onlyV2,
  adminOnly: true,
  summary: 'Change an identity provider',
  description:
    'With another issuer, the secret has to be given again, and people are matched anew: sessions through the old one end, and accounts are found by their address again.',
  pathParams,
  body: Type.Partial(Body),
  data: IdentityProvider,
  paged: false,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: { path, body: { isRequired: true }, data: { ...example, isRequired: true } },
});

export const checkIdentityProviderDomains = route({
  id: 'checkIdentityProviderDomains',
  tag,
  method: 'POST',
  path: '/identity-providers/{providerId}/check-domains',
  versions: onlyV2,
  adminOnly: true,
  summary: 'Check whether the domains of a provider are proven',
  description: 'Looks up the TXT records in DNS now. A proven domain stays proven if DNS does not answer.',
  pathParams,
  data: IdentityProvider,
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path, data: example },
});

export const deleteIdentityProvider = route({
  id: 'deleteIdentityProvider',
  tag,
  method: 'DELETE',
  path: '/identity-providers/{providerId}',
  versions: onlyV2,
  adminOnly: true,
  summary: 'Remove an identity provider',
  description: 'Accounts stay. Sessions through it end.',
  pathParams,
  data: Success,
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path, data: { success: true } },
});

export const identityProviderRoutes = [
  createIdentityProvider,
  listIdentityProviders,
  updateIdentityProvider,
  checkIdentityProviderDomains,
  deleteIdentityProvider,
];
