// How an email looks to a contact: on the screen, and in your own inbox.
import { Type } from 'typebox';
import { languageText } from './email-languages.js';
import { onlyV2, route } from './route.js';
import { EmailText, InstantText, Named, Nullable, Words } from './schema.js';

const tag = 'Emails';
const id = '019a8b2c4d5e6f708192a3c1';
const pathParams = { id: 'Email id, 24 hex digits.' };

const Draft = Named('EmailDraft', {
  subject: Type.Optional(Type.String({ maxLength: 998 })),
  preheader: Type.Optional(Type.String({ maxLength: 998 })),
  html: Type.Optional(Type.String()),
});
const Preview = Named('EmailPreview', {
  subject: Type.String(),
  preheader: Nullable(Type.String()),
  html: Type.String(),
  chosen: Words(['version', 'default', 'draft']),
  language: Type.Optional(Type.String({ description: "The language of its texts. Left out: the email's own." })),
  reason: Type.String({ description: 'Why this one was chosen.' }),
  problems: Type.Array(
    Named('TemplateProblem', {
      field: Type.String(),
      line: Type.Integer({ minimum: 0, format: 'int32' }),
      column: Type.Integer({ minimum: 0, format: 'int32' }),
      message: Type.String(),
      variable: Type.Optional(
        Type.String({ description: 'The variable that no contact has, as the template writes it.' }),
      ),
    }),
    { description: 'What is wrong with a draft, and where.' },
  ),
});
const examplePreview = {
  subject: 'Welcome, Ada',
  preheader: 'Three things to try first',
  html: '<p>Hello Ada</p><p><a href="http://127.0.0.1:8080/t/u/preview">Unsubscribe</a></p>',
  chosen: 'default',
  reason: 'The contact has no version of this email.',
  problems: [],
};

export const previewEmail = route({
  id: 'previewEmail',
  tag,
  method: 'POST',
  path: '/emails/{id}/preview',
  versions: onlyV2,
  summary: 'Render an email as a contact would get it',
  description:
    'Names a contact by id or email, or none to see the defaults. `at` decides whether a version has expired. `draft` renders text that is not saved yet, instead of the stored default. `language` shows the email as somebody who reads that gets it; without it, the contact decides.',
  pathParams,
  body: Named('EmailPreviewInput', {
    contactId: Type.Optional(Type.String()),
    email: Type.Optional(EmailText),
    at: Type.Optional(InstantText),
    draft: Type.Optional(Draft),
    language: Type.Optional(Type.String({ description: languageText })),
  }),
  data: Preview,
  paged: false,
  errors: ['NOT_FOUND', 'BAS-E-002', 'INVALID_STATE'],
  example: {
    path: { id },
    body: { email: 'ada@example.com' },
    data: examplePreview,
  },
});

export const previewSavedEmail = route({
  id: 'previewSavedEmail',
  tag,
  method: 'GET',
  path: '/emails/{id}/preview',
  versions: onlyV2,
  summary: 'Render a saved email as a contact would get it',
  description:
    'For those who may only read. Names a contact by id, or none to see the defaults. `at` decides whether a version has expired, `language` what the contact reads.',
  pathParams,
  query: {
    contactId: {
      kind: 'text',
      emptyIsAbsent: false,
      repeatable: false,
      description: 'Contact id; an unknown one is a 400.',
    },
    at: { kind: 'instant', repeatable: false, description: 'The moment of sending; now when it is left out.' },
    language: { kind: 'text', emptyIsAbsent: false, repeatable: false, description: languageText },
  },
  snakeCase: true,
  data: Preview,
  paged: false,
  errors: ['NOT_FOUND', 'BAS-E-002', 'INVALID_STATE'],
  example: { path: { id }, query: { contactId: '019a8b2c4d5e7f708192a3b4c5d6e7f8' }, data: examplePreview },
});

export const testSendEmail = route({
  id: 'testSendEmail',
  tag,
  method: 'POST',
  path: '/emails/{id}/test-send',
  versions: onlyV2,
  summary: 'Send an email to yourself',
  description:
    'Rendered for a contact if one is named. Goes through SMTP_URL, or into the outbox if that is not set. `draft` sends text that is not saved yet instead of the stored one; a fault in it is a 400 that says where.',
  pathParams,
  body: Named('TestSendInput', {
    to: EmailText,
    contactId: Type.Optional(Type.String()),
    email: Type.Optional(EmailText),
    draft: Type.Optional(Draft),
    language: Type.Optional(Type.String({ description: languageText })),
  }),
  data: Named('TestSend', {
    messageId: Type.String(),
    transport: Words(['smtp', 'outbox']),
    to: Type.String(),
    subject: Type.String(),
  }),
  paged: false,
  errors: ['NOT_FOUND', 'BAS-E-002', 'MAIL_NOT_SENT', 'INVALID_STATE'],
  example: {
    path: { id },
    body: { to: 'me@example.com', email: 'ada@example.com' },
    data: { messageId: '<019a8b2c@example.com>', transport: 'outbox', to: 'me@example.com', subject: 'Welcome, Ada' },
  },
});

export const emailPreviewRoutes = [previewEmail, previewSavedEmail, testSendEmail] as const;
