import { Type } from 'typebox';
import { GivenDesign, GivenDesignOrNull, StoredDesign } from './designs.js';
import { ChangedTranslations, GivenTranslations, Translations } from './email-languages.js';
import { choice, paging, search } from './params.js';
import { both, onlyV2, route } from './route.js';
import { AccountId, AssetId, EmailText, HeaderText, Instant, Named, Nullable, Words } from './schema.js';

export const Sender = Named('Sender', {
  email: Type.String(),
  name: Nullable(Type.String()),
});

const rowFields = {
  id: AssetId(),
  emailId: AssetId('The same as `id`.'),
  name: Type.String(),
  subject: Type.String(),
  preheader: Nullable(Type.String()),
  fromEmail: Sender,
  replyTo: Type.String({ description: 'The sender, unless another address was given.' }),
  editorUrl: Type.String({ format: 'uri', description: 'Where a person edits the HTML.' }),
  createdAt: Instant,
  createdBy: AccountId,
  updatedAt: Instant,
  updatedBy: AccountId,
  directoryId: Nullable(AssetId('Id of its folder.')),
  topicId: Nullable(
    AssetId('What it is about: it leaves only to contacts who are subscribed to that topic. Null: to all.'),
  ),
};
export const EmailRow = Named('EmailRow', rowFields, 'An email without its HTML.');
export const Email = Named('Email', {
  ...rowFields,
  html: Type.String({ description: 'Made from the design, where there is one.' }),
  design: StoredDesign,
  languages: Type.Optional(Translations),
});

const tag = 'Emails';
const id = '019a8b2c4d5e6f708192a3c1';
const row = {
  id,
  emailId: id,
  name: 'Welcome',
  subject: 'Welcome, {{first_name | default: "friend"}}',
  preheader: 'Three things to try first',
  fromEmail: { email: 'hello@example.com', name: 'Rapport' },
  replyTo: 'hello@example.com',
  editorUrl: 'http://127.0.0.1:8080/console/emails/019a8b2c4d5e6f708192a3c1',
  createdAt: '2026-11-15T09:30:00.000Z',
  createdBy: 1,
  updatedAt: '2026-11-15T09:30:00.000Z',
  updatedBy: 1,
  directoryId: null,
  topicId: null,
};
const html = '<p>Hello {{first_name | default: "friend"}}</p><p><a href="{{unsubscribe_url}}">Unsubscribe</a></p>';
const email = { ...row, html, design: null };
export const exampleEmail = email;
const pathParams = { id: 'Email id, 24 hex digits.' };

const From = Type.Object(
  { email: EmailText, name: Type.Optional(Nullable(HeaderText(255, 'Shown as the sender.'))) },
  { description: 'The domain of the address must be approved.' },
);
const Html = Type.String({
  minLength: 1,
  description: 'The whole HTML, a Liquid template. At most 2 MiB in UTF-8. Not together with a design.',
});
const Subject = HeaderText(998, 'A Liquid template too; it is not HTML-escaped.');
const Preheader = Type.String({
  maxLength: 998,
  trim: true,
  description: 'Inbox preview text, a Liquid template too.',
});
const TopicId = Type.String({ description: 'Id of a topic. An unknown one is a 400.' });
const FolderId = Type.String({ description: 'Id of a folder. An unknown one is a 400.' });

const EmailBody = Named('EmailInput', {
  name: HeaderText(255, 'Unique among the live emails of the tenant; compared exactly.'),
  html: Type.Optional(Type.String({ ...Html, requiredWithout: 'design' })),
  design: Type.Optional(GivenDesign),
  languages: Type.Optional(GivenTranslations),
  subject: Subject,
  fromEmail: From,
  replyTo: Type.Optional(EmailText),
  preheader: Type.Optional(Preheader),
  folderId: Type.Optional(FolderId),
  topicId: Type.Optional(Nullable(TopicId)),
});
const EmailPatch = Named('EmailPatch', {
  name: Type.Optional(HeaderText(255, 'Unique among the live emails of the tenant.')),
  html: Type.Optional(Html),
  design: Type.Optional(GivenDesignOrNull),
  languages: Type.Optional(ChangedTranslations),
  subject: Type.Optional(Subject),
  fromEmail: Type.Optional(From),
  replyTo: Type.Optional(Nullable(EmailText)),
  preheader: Type.Optional(Nullable(Preheader)),
  folderId: Type.Optional(Nullable(FolderId)),
  topicId: Type.Optional(Nullable(TopicId)),
});
const checks = ['UnapprovedEmailDomainException', 'UnknownVariablesException', 'TEMPLATE_ALREADY_EXISTS'] as const;
const exampleBody = {
  name: row.name,
  html,
  subject: row.subject,
  fromEmail: row.fromEmail,
  preheader: row.preheader,
};

export const createEmail = route({
  id: 'createEmail',
  tag,
  method: 'POST',
  path: '/emails',
  versions: both,
  summary: 'Create an HTML email',
  description:
    'Either `html` or a `design` of blocks, from which the html is made. Checked in this order: shape, design and template syntax, sending domain, variables in html, subject and preheader, name. Variables are `{{email}}`, `{{unsubscribe_url}}`, `{{preferences_url}}`, `{{view_url}}`, `{{first_name}}` and every property key that a contact of the tenant has had.',
  body: EmailBody,
  hasEtag: true,
  data: Email,
  paged: false,
  errors: checks,
  example: { body: exampleBody, data: email },
});

export const getEmail = route({
  id: 'getEmail',
  tag,
  method: 'GET',
  path: '/emails/{id}',
  versions: both,
  summary: 'Read an email',
  description: 'The `ETag` of the answer can be sent as `If-Match` with a PATCH.',
  pathParams,
  hasEtag: true,
  data: Email,
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path: { id }, data: email },
});

export const listEmails = route({
  id: 'listEmails',
  tag,
  method: 'GET',
  path: '/emails',
  versions: onlyV2,
  summary: 'List emails',
  description: 'Without their HTML, newest first unless `sort` says otherwise.',
  query: {
    search,
    folderId: {
      kind: 'text',
      emptyIsAbsent: false,
      repeatable: false,
      description: 'One folder; an id of no folder yields an empty page.',
    },
    sort: choice(
      ['-createdAt', 'name', '-updatedAt'],
      'By name without regard to case, or by time with the latest first. `-createdAt` when it is left out.',
    ),
    ...paging,
  },
  snakeCase: true,
  data: EmailRow,
  paged: true,
  errors: [],
  example: { query: { search: 'welcome' }, data: [row] },
});

export const updateEmail = route({
  id: 'updateEmail',
  tag,
  method: 'PATCH',
  path: '/emails/{id}',
  versions: onlyV2,
  summary: 'Change an email',
  description:
    'The same checks as creation. `html` ends a design, and so does `design: null`, which keeps the html; an email whose design was compiled by an older release is compiled anew. Send `If-Match` with the `ETag` that was read to be refused (412) if the email was changed since.',
  pathParams,
  body: EmailPatch,
  hasEtag: true,
  data: Email,
  paged: false,
  errors: ['NOT_FOUND', ...checks, 'EDIT_CONFLICT'],
  example: { path: { id }, body: { subject: row.subject }, data: email },
});

export const deleteEmail = route({
  id: 'deleteEmail',
  tag,
  method: 'DELETE',
  path: '/emails/{id}',
  versions: onlyV2,
  summary: 'Delete an email',
  description: 'Its name is free again. Refused while an active journey or a broadcast sends it.',
  pathParams,
  data: Named('DeletedEmail', { emailId: AssetId(), success: Type.Boolean() }),
  paged: false,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: { path: { id }, data: { emailId: id, success: true } },
});

export const EmailActivity = Named('EmailActivity', {
  occurredAt: Instant,
  email: Nullable(Type.String({ description: 'Null once the person is erased.' })),
  outcome: Words(['stored', 'replaced', 'rejected', 'deleted']),
  reason: Nullable(Type.String({ description: 'Why it was rejected, or what is odd about one that was stored.' })),
});

export const listEmailActivity = route({
  id: 'listEmailActivity',
  tag,
  method: 'GET',
  path: '/emails/{id}/activity',
  versions: onlyV2,
  summary: 'List what arrived for an email',
  description: 'Every version that arrived, stored or refused with its reason. Newest first.',
  pathParams,
  query: {
    outcome: {
      kind: 'choice',
      words: ['stored', 'replaced', 'rejected', 'deleted'],
      repeatable: true,
      description: 'Only these outcomes.',
    },
    ...paging,
  },
  data: EmailActivity,
  paged: true,
  errors: ['NOT_FOUND'],
  example: {
    path: { id },
    data: [
      {
        occurredAt: '2026-11-15T09:31:00.000Z',
        email: 'ada@example.com',
        outcome: 'rejected',
        reason: 'html must contain {{unsubscribe_url}}.',
      },
    ],
  },
});

export const listVariables = route({
  id: 'listVariables',
  tag,
  method: 'GET',
  path: '/email-variables',
  versions: onlyV2,
  summary: 'List the variables of an email',
  description: 'The platform’s own variables, then `first_name` and every other property key that contacts have had.',
  query: paging,
  snakeCase: true,
  data: Named('EmailVariable', {
    name: Type.String(),
    kind: Words(['platform', 'property']),
  }),
  paged: true,
  errors: [],
  example: {
    data: [
      { name: 'unsubscribe_url', kind: 'platform' },
      { name: 'first_name', kind: 'property' },
    ],
  },
});

export const emailRoutes = [
  listEmails,
  createEmail,
  getEmail,
  updateEmail,
  deleteEmail,
  listEmailActivity,
  listVariables,
] as const;
