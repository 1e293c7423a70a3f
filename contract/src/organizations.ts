import { Type } from 'typebox';
import { choice, paging, search } from './params.js';
import { onlyV2, route } from './route.js';
import { Instant, Named, Nullable, Properties, StoredProperties, Success, Text } from './schema.js';
import { exampleUser, ProductUser } from './users.js';

export const Organization = Named('Organization', {
  orgId: Type.String(),
  name: Type.String(),
  properties: StoredProperties,
  createdAt: Instant,
  updatedAt: Instant,
});

const tag = 'Organizations';
const orgId = 'acme';
const example = {
  orgId,
  name: 'Acme Ltd',
  properties: { plan: 'pro' },
  createdAt: '2026-11-15T09:30:00.000Z',
  updatedAt: '2026-11-15T09:30:00.000Z',
};
const pathParams = { orgId: 'Organization id.' };

export const listOrganizations = route({
  id: 'listOrganizations',
  tag,
  method: 'GET',
  path: '/organizations',
  versions: onlyV2,
  summary: 'List organizations',
  description: 'Newest first. `search` looks in the name and in the id.',
  query: {
    search,
    sort: choice(['name', '-createdAt'], 'By name, or newest first, which is the default.'),
    ...paging,
  },
  data: Organization,
  paged: true,
  errors: [],
  example: { query: { search: 'acme' }, data: [example] },
});

export const createOrganization = route({
  id: 'createOrganization',
  tag,
  method: 'POST',
  path: '/organizations',
  versions: onlyV2,
  summary: 'Create an organization',
  body: Named('OrganizationInput', {
    orgId: Type.Optional(Text(255, { description: 'Generated when omitted.' })),
    name: Text(255),
    properties: Type.Optional(Properties('an organization')),
  }),
  data: Organization,
  paged: false,
  errors: ['ORGANIZATION_ALREADY_EXISTS'],
  example: { body: { orgId, name: example.name, properties: example.properties }, data: example },
});

export const getOrganization = route({
  id: 'getOrganization',
  tag,
  method: 'GET',
  path: '/organizations/{orgId}',
  versions: onlyV2,
  summary: 'Read an organization',
  pathParams,
  data: Organization,
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path: { orgId }, data: example },
});

export const updateOrganization = route({
  id: 'updateOrganization',
  tag,
  method: 'PATCH',
  path: '/organizations/{orgId}',
  versions: onlyV2,
  summary: 'Change an organization',
  description: 'Properties are merged; `properties: null` removes them all.',
  pathParams,
  body: Named('OrganizationPatch', {
    name: Type.Optional(Text(255)),
    properties: Type.Optional(Nullable(Properties('an organization'))),
  }),
  data: Organization,
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path: { orgId }, body: { properties: example.properties }, data: example },
});

export const listOrganizationMembers = route({
  id: 'listOrganizationMembers',
  tag,
  method: 'GET',
  path: '/organizations/{orgId}/members',
  versions: onlyV2,
  summary: 'List the product users of an organization',
  description: 'Newest membership first.',
  pathParams,
  query: paging,
  data: ProductUser,
  paged: true,
  errors: ['NOT_FOUND'],
  example: { path: { orgId }, data: [exampleUser] },
});

export const removeOrganizationMember = route({
  id: 'removeOrganizationMember',
  tag,
  method: 'DELETE',
  path: '/organizations/{orgId}/members/{userId}',
  versions: onlyV2,
  summary: 'Remove a product user from an organization',
  pathParams: { ...pathParams, userId: 'User id.' },
  data: Success,
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path: { orgId, userId: exampleUser.userId }, data: { success: true } },
});

export const organizationRoutes = [
  listOrganizations,
  createOrganization,
  getOrganization,
  updateOrganization,
  listOrganizationMembers,
  removeOrganizationMember,
] as const;
