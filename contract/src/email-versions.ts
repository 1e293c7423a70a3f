import { Type } from 'typebox';
import { paging, search } from './params.js';
import { both, onlyV2, route } from './route.js';
import {
  AssetId,
  CheckedLater,
  ContactId,
  EmailText,
  HeaderText,
  Instant,
  InstantText,
  Named,
  Nullable,
  Words,
} from './schema.js';

const tag = 'Email versions';
const assetId = '019a8b2c4d5e6f708192a3c1';
const html = '<p>Dear Ada, your engine is ready.</p><p><a href="{{unsubscribe_url}}">Unsubscribe</a></p>';

const VersionBody = Named('EmailVersionInput', {
  assetId: Type.String({
    pattern: '\\S',
    form: 'is required',
    description: 'Id of the email that this is a version of.',
  }),
  email: EmailText,
  subject: Type.Optional(HeaderText(998, 'Sent literally; the email’s own by default.')),
  preheader: Type.Optional(Type.String({ maxLength: 998, description: 'Sent literally; the email’s own by default.' })),
  html: Type.String({
    description:
      'The full HTML. Must contain the literal `{{unsubscribe_url}}` and no other `{{…}}`; at most 512,000 bytes in UTF-8.',
  }),
  expiresAt: Type.Optional(InstantText),
});
export type VersionText = Type.Static<typeof VersionBody>;

export const EmailVersion = Named('EmailVersion', {
  assetId: AssetId('Id of the email.'),
  email: Type.String(),
  contactId: ContactId(),
  subject: Nullable(Type.String({ description: 'Null: the email’s own.' })),
  preheader: Nullable(Type.String({ description: 'Null: the email’s own.' })),
  status: Words(['ready', 'expired']),
  expiresAt: Nullable(Instant),
  createdAt: Instant,
  updatedAt: Instant,
  html: Type.Optional(Type.String({ description: 'Only when both assetId and email are given.' })),
});

const example = {
  assetId,
  email: 'ada@example.com',
  contactId: '019a8b2c4d5e7f708192a3b4c5d6e7f8',
  subject: 'Ada, your engine is ready',
  preheader: null,
  status: 'ready',
  expiresAt: null,
  createdAt: '2026-11-15T09:31:00.000Z',
  updatedAt: '2026-11-15T09:31:00.000Z',
};

export const storeVersion = route({
  id: 'storeVersion',
  tag,
  method: 'POST',
  path: '/email-versions',
  versions: both,
  summary: 'Store the personalized version of an email for one contact',
  description:
    'Replaces the contact’s earlier version. A refused one changes nothing and is on the email’s activity with its reason.',
  body: VersionBody,
  checksItself: true,
  data: Named('StoredVersion', { status: Type.Literal('stored') }),
  paged: false,
  errors: ['NOT_FOUND', 'BAS-E-002'],
  example: { body: { assetId, email: example.email, subject: example.subject, html }, data: { status: 'stored' } },
});

const VersionResult = Named('EmailVersionResult', {
  assetId: Nullable(Type.String({ description: 'As it was sent; null if it was not text.' })),
  email: Nullable(Type.String({ description: 'As it was sent; null if it was not text.' })),
  status: Words(['stored', 'rejected']),
  errorCode: Type.Optional(Type.String({ description: 'What the single call would have answered.' })),
  reason: Type.Optional(Type.String({ description: 'Why it was rejected.' })),
});

export const storeVersions = route({
  id: 'storeVersions',
  tag,
  method: 'POST',
  path: '/email-versions/batch',
  versions: onlyV2,
  summary: 'Store up to 100 versions',
  description: 'Each item has its own outcome; a refused one does not affect others.',
  body: Named('EmailVersionBatch', {
    versions: Type.Array(CheckedLater(VersionBody), { minItems: 1, maxItems: 100 }),
  }),
  data: Named('EmailVersionResults', { results: Type.Array(VersionResult) }),
  paged: false,
  errors: [],
  example: {
    body: { versions: [{ assetId, email: example.email, html }] },
    data: { results: [{ assetId, email: example.email, status: 'stored' }] },
  },
});

const keys = {
  assetId: { kind: 'text', emptyIsAbsent: false, repeatable: false, description: 'Id of the email.' },
  email: { kind: 'text', emptyIsAbsent: false, repeatable: false, description: 'Email of the contact.' },
} as const;

export const listVersions = route({
  id: 'listVersions',
  tag,
  method: 'GET',
  path: '/email-versions',
  versions: both,
  summary: 'List versions',
  description: 'Newest first, by email, by contact, or by both; with both, the HTML too.',
  query: {
    ...keys,
    contactId: {
      kind: 'text',
      emptyIsAbsent: false,
      repeatable: false,
      onlyV2: true,
      description: 'Of this contact; instead of `email`, if the id is known.',
    },
    search: {
      ...search,
      onlyV2: true,
      description: `Searches the contact's email and first and last name. ${search.description}`,
    },
    ...paging,
  },
  snakeCase: true,
  data: EmailVersion,
  paged: true,
  errors: ['NOT_FOUND', 'BAS-E-002'],
  example: { query: { assetId }, data: [example] },
});

export const deleteVersion = route({
  id: 'deleteVersion',
  tag,
  method: 'DELETE',
  path: '/email-versions',
  versions: both,
  summary: 'Delete a version',
  description: 'The contact gets the default email again.',
  query: { assetId: { ...keys.assetId, required: true }, email: { ...keys.email, required: true } },
  snakeCase: true,
  data: Named('DeletedVersion', { assetId: AssetId(), email: Type.String(), success: Type.Boolean() }),
  paged: false,
  errors: ['NOT_FOUND', 'BAS-E-002'],
  example: {
    query: { assetId, email: example.email },
    data: { assetId, email: example.email, success: true },
  },
});

export const emailVersionRoutes = [storeVersion, storeVersions, listVersions, deleteVersion] as const;
