// The people of a workspace: their roles, who is deactivated, and who is invited.
import { Type } from 'typebox';
import { paging } from './params.js';
import { adminRoute, onlyV2, route } from './route.js';
import { Instant, InternetEmailText, Named, Nullable, Text, Words } from './schema.js';
import { roles } from './tenants.js';

const RoleWord = Words(
  roles,
  '`admin` may do everything, `member` everything but manage the workspace, `viewer` only reads.',
);

export const Person = Named('Person', {
  accountId: Type.Integer({ description: 'The `createdBy` and `updatedBy` of what they make.' }),
  name: Type.String(),
  email: Nullable(Type.String()),
  role: RoleWord,
  state: Words(['active', 'deactivated'], '`deactivated`: none of their tokens works, and they cannot sign in here.'),
  isPerson: Type.Boolean({ description: 'false: an account for programs, without a sign-in.' }),
  hasSecondFactor: Nullable(Type.Boolean(), 'Shown to admins, and to people about themselves. Otherwise null.'),
  lastSeenAt: Nullable(Instant, 'When they were last here, by a token or in a browser. Shown like `hasSecondFactor`.'),
  isYou: Type.Boolean(),
});
const person = {
  accountId: 2,
  name: 'Grace Hopper',
  email: 'grace@example.com',
  role: 'member',
  state: 'active',
  isPerson: true,
  hasSecondFactor: true,
  lastSeenAt: '2026-11-15T09:30:00.000Z',
  isYou: false,
};
const tag = 'People';
const versions = onlyV2;
const pathParams = { accountId: 'Account number.' };
const path = { accountId: '2' };

export const listPeople = route({
  id: 'listPeople',
  tag,
  versions,
  method: 'GET',
  path: '/people',
  summary: 'List the people of the workspace',
  description: 'In the order in which they joined, including deactivated ones and accounts for programs.',
  query: paging,
  data: Person,
  paged: true,
  errors: [],
  example: { data: [person] },
});
export const updatePerson = route({
  id: 'updatePerson',
  tag,
  versions,
  method: 'PATCH',
  path: '/people/{accountId}',
  adminOnly: true,
  summary: 'Change the role or the name of a person',
  description:
    'Their tokens follow the role: those of a viewer read and do nothing else. The last admin of a workspace stays one.',
  pathParams,
  body: Type.Partial(Type.Object({ role: RoleWord, name: Text(255) })),
  data: Person,
  paged: false,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: { path, body: { role: 'member' }, data: person },
});
export const deactivatePerson = route({
  id: 'deactivatePerson',
  tag,
  versions,
  method: 'POST',
  path: '/people/{accountId}/deactivate',
  adminOnly: true,
  summary: 'Deactivate a person',
  description:
    'Ends all of their tokens, connected apps and sessions here, on every node within 5 seconds. What they made stays. The last admin of a workspace cannot be deactivated.',
  pathParams,
  data: Person,
  paged: false,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: { path, data: { ...person, state: 'deactivated' } },
});
export const reactivatePerson = route({
  id: 'reactivatePerson',
  tag,
  versions,
  method: 'POST',
  path: '/people/{accountId}/reactivate',
  adminOnly: true,
  summary: 'Reactivate a person',
  description: 'With the role that they had. Their earlier tokens and apps stay ended.',
  pathParams,
  data: Person,
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path, data: person },
});

const invitationFields = {
  invitationId: Type.Integer(),
  email: Type.String(),
  role: RoleWord,
  status: Words(['open', 'accepted', 'expired', 'revoked']),
  invitedBy: Nullable(Type.Integer({ description: 'Account number. null: an operator.' })),
  createdAt: Instant,
  expiresAt: Instant,
  acceptedAt: Nullable(Instant),
  accountId: Nullable(Type.Integer({ description: 'The account of the person who accepted it.' })),
};
export const Invitation = Named('Invitation', invitationFields);
export const NewInvitation = Named('NewInvitation', {
  ...invitationFields,
  link: Type.String({
    description: 'Lets the person who opens it join. Shown only once; an older link stops working.',
  }),
  isMailed: Type.Boolean({ description: 'false: the installation has no mail server, so pass the link on yourself.' }),
});
const invitation = {
  invitationId: 3,
  email: 'grace@example.com',
  role: 'member',
  status: 'open',
  invitedBy: 1,
  createdAt: '2026-11-15T09:30:00.000Z',
  expiresAt: '2026-11-22T09:30:00.000Z',
  acceptedAt: null,
  accountId: null,
};
const link = 'https://rapport.example/oauth/invitation?token=q3Zt0yVh0m2cYw1rJ8Xk5bN7sD4fG6hLpA9uE1iO2xT';
const InvitationBody = Type.Object({ email: InternetEmailText, role: RoleWord });
const invite = { email: 'grace@example.com', role: 'member' };
const invitationParams = { invitationId: 'Invitation number.' };
const invitationPath = { invitationId: '3' };

export const listInvitations = route({
  id: 'listInvitations',
  tag,
  versions,
  method: 'GET',
  path: '/invitations',
  adminOnly: true,
  summary: 'List invitations',
  description: 'Newest first, without their links, including accepted, expired and revoked ones.',
  query: paging,
  data: Invitation,
  paged: true,
  errors: [],
  example: { data: [invitation] },
});
export const createInvitation = route({
  id: 'createInvitation',
  tag,
  versions,
  method: 'POST',
  path: '/invitations',
  adminOnly: true,
  summary: 'Invite a person to the workspace',
  description:
    'Mails a link if the installation has a mail server, and returns it once in any case. It works once, for a week.',
  body: InvitationBody,
  data: NewInvitation,
  paged: false,
  errors: ['INVALID_STATE'],
  example: { body: invite, data: { ...invitation, link, isMailed: true } },
});
export const resendInvitation = route({
  id: 'resendInvitation',
  tag,
  versions,
  method: 'POST',
  path: '/invitations/{invitationId}/resend',
  adminOnly: true,
  summary: 'Send an invitation again',
  description: 'With a new link, for another week. The previous link stops working.',
  pathParams: invitationParams,
  data: NewInvitation,
  paged: false,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: { path: invitationPath, data: { ...invitation, link, isMailed: true } },
});
export const revokeInvitation = route({
  id: 'revokeInvitation',
  tag,
  versions,
  method: 'DELETE',
  path: '/invitations/{invitationId}',
  adminOnly: true,
  summary: 'Revoke an invitation',
  pathParams: invitationParams,
  data: Type.Object({ invitationId: Type.Integer(), success: Type.Boolean() }),
  paged: false,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: { path: invitationPath, data: { invitationId: 3, success: true } },
});
export const createTenantInvitation = adminRoute({
  id: 'createTenantInvitation',
  tag: 'Administration',
  method: 'POST',
  path: '/admin/tenants/{tenantId}/invitations',
  summary: 'Invite a person to a tenant',
  description:
    'This is how the first admin joins. The link is mailed if SMTP_URL is set, and is in the answer in any case.',
  pathParams: { tenantId: 'Tenant number.' },
  body: InvitationBody,
  data: NewInvitation,
  paged: false,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: {
    path: { tenantId: '1' },
    body: invite,
    data: { ...invitation, invitedBy: null, link, isMailed: true },
  },
});

export const peopleRoutes = [
  listPeople,
  updatePerson,
  deactivatePerson,
  reactivatePerson,
  listInvitations,
  createInvitation,
  resendInvitation,
  revokeInvitation,
  createTenantInvitation,
] as const;
