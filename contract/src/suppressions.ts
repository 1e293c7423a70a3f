// Addresses that get no mail, and whether a tenant's mail leaves at all.
import { Type } from 'typebox';
import { paging, search } from './params.js';
import { onlyV2, route } from './route.js';
import { Count, Instant, Named, Nullable, Words } from './schema.js';

/** Weakest first: an address keeps the strongest reason that it was given. */
export const suppressionReasons = ['unsubscribed', 'bounced', 'complained', 'manual'] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

export const Suppression = Named('Suppression', {
  email: Type.String(),
  reason: Words(suppressionReasons),
  createdAt: Instant,
});
const tag = 'Messages';
const suppression = { email: 'ada@example.com', reason: 'manual', createdAt: '2026-11-15T09:30:00.000Z' };
const path = { email: 'ada@example.com' };
const pathParams = { email: 'Email address; trimmed and lower-cased.' };

export const listSuppressions = route({
  id: 'listSuppressions',
  tag,
  method: 'GET',
  path: '/suppressions',
  versions: onlyV2,
  summary: 'List suppressed addresses',
  description:
    'Newest first. With `contactId`, only that of the contact’s address: one row, or none while it gets mail.',
  query: {
    search,
    contactId: { kind: 'text', emptyIsAbsent: false, repeatable: false, description: 'Of this contact’s address.' },
    ...paging,
  },
  data: Suppression,
  paged: true,
  errors: ['BAS-E-002'],
  example: { data: [suppression] },
});

export const suppressAddress = route({
  id: 'suppressAddress',
  tag,
  method: 'PUT',
  path: '/suppressions/{email}',
  versions: onlyV2,
  summary: 'Suppress an address',
  description: 'It does not have to belong to a contact. An address that is already suppressed gets the new reason.',
  pathParams,
  body: Type.Object({ reason: Type.Optional(Words(suppressionReasons, '`manual` by default.')) }),
  data: Suppression,
  paged: false,
  errors: [],
  example: { path, body: { reason: 'manual' }, data: suppression },
});

export const unsuppressAddress = route({
  id: 'unsuppressAddress',
  tag,
  method: 'DELETE',
  path: '/suppressions/{email}',
  versions: onlyV2,
  summary: 'Let an address get mail again',
  pathParams,
  query: {
    note: {
      kind: 'text',
      emptyIsAbsent: true,
      repeatable: false,
      description: 'Why, for the audit log, which is permanent: at most 500 characters, without names or addresses.',
    },
  },
  data: Type.Object({ email: Type.String(), success: Type.Boolean() }),
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path, data: { email: 'ada@example.com', success: true } },
});

export const Sending = Named('Sending', {
  state: Words(['open', 'paused'], 'While it is paused, all but transactional mail waits.'),
  reason: Nullable(Type.String({ description: 'Why it is paused.' })),
  since: Nullable(Type.String({ format: 'date-time', description: 'Since when it is paused.' })),
  delivered: Count('Messages of the last 24 hours that were accepted and did not bounce.'),
  complaintRate: Type.Number({ description: 'Complaints / messages sent, in the last 24 hours; 0..1.' }),
  bounceRate: Type.Number({ description: 'Hard bounces / messages sent, in the last 24 hours; 0..1.' }),
});
const open = { state: 'open', reason: null, since: null, delivered: 1200, complaintRate: 0, bounceRate: 0.01 };

export const getSending = route({
  id: 'getSending',
  tag,
  method: 'GET',
  path: '/sending',
  versions: onlyV2,
  summary: 'Read whether mail leaves',
  description: 'Too many complaints or hard bounces pause all but transactional mail until it is resumed.',
  data: Sending,
  paged: false,
  errors: [],
  example: { data: open },
});

export const resumeSending = route({
  id: 'resumeSending',
  tag,
  method: 'POST',
  path: '/sending/resume',
  versions: onlyV2,
  summary: 'Resume sending',
  description: 'Figures start over from here. Resuming what is not paused changes nothing.',
  data: Sending,
  paged: false,
  errors: [],
  example: { data: open },
});

export const sendingWarningCodes = ['noMailServer', 'localBaseUrl', 'unverifiedDomain'] as const;
export const SendingWarning = Named('SendingWarning', {
  code: Words(
    sendingWarningCodes,
    '`noMailServer`: messages are kept in the outbox. `localBaseUrl`: links lead to an address that only this machine reaches. `unverifiedDomain`: the DNS records of a sender’s domain were not found.',
  ),
  domain: Nullable(Type.String({ description: 'Of `unverifiedDomain`.' })),
  message: Type.String({ description: 'What is wrong and what to do about it.' }),
});

export const getSendingSetup = route({
  id: 'getSendingSetup',
  tag,
  method: 'GET',
  path: '/sending/setup',
  versions: onlyV2,
  summary: 'Read the sending setup and its problems',
  data: Named('SendingSetup', {
    mailServer: Words(
      ['workspace', 'installation', 'outbox'],
      '`workspace`: its own mail server. `installation`: that of the installation. `outbox`: there is none, and messages are kept.',
    ),
    warnings: Type.Array(SendingWarning, { description: 'Empty if everything is set up.' }),
  }),
  paged: false,
  errors: [],
  example: {
    data: {
      mailServer: 'outbox',
      warnings: [
        {
          code: 'noMailServer',
          domain: null,
          message: 'There is no mail server: messages are kept in the outbox and reach no one.',
        },
      ],
    },
  },
});

export const suppressionRoutes = [
  ...[listSuppressions, suppressAddress, unsuppressAddress],
  ...[getSending, getSendingSetup, resumeSending],
];
