// What an email was after each save, and how to restore it.
import { Type } from 'typebox';
import { StoredDesign } from './designs.js';
import { Translations } from './email-languages.js';
import { Email, exampleEmail, Sender } from './emails.js';
import { paging } from './params.js';
import { onlyV2, route } from './route.js';
import { AccountName, AssetId, Instant, Named, Nullable, Words } from './schema.js';

const tag = 'Emails';
const { id } = exampleEmail;
const pathParams = { id: 'Email id, 24 hex digits.' };
const errors = ['NOT_FOUND'] as const;

/** As a PATCH names them. */
export const emailFields = [
  'name',
  'subject',
  'preheader',
  'html',
  'design',
  'languages',
  'fromEmail',
  'replyTo',
  'folderId',
  'topicId',
] as const;
export type EmailField = (typeof emailFields)[number];

const Revision = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'Starts at 1 and grows with each save. Also the `ETag` of the email.',
});
const rowFields = {
  revision: Revision,
  savedAt: Instant,
  savedBy: Nullable(AccountName),
  name: Type.String(),
  subject: Type.String(),
  changed: Type.Array(Words(emailFields), {
    description:
      'What this save changed, in the words of a PATCH. Empty for the first, and for one that changed nothing.',
  }),
  restoredFrom: Nullable(Type.Integer({ description: 'The revision that this save restored.' })),
  isCurrent: Type.Boolean({ description: 'What the email is now.' }),
};
export const EmailRevisionRow = Named('EmailRevisionRow', rowFields, 'A save of an email, without its texts.');
export const EmailRevision = Named('EmailRevision', {
  ...rowFields,
  preheader: Nullable(Type.String()),
  html: Type.String(),
  design: StoredDesign,
  languages: Type.Optional(Translations),
  fromEmail: Sender,
  replyTo: Type.String({ description: 'The sender, unless another address was given.' }),
  topicId: Nullable(AssetId('What it was about.')),
});

const row = {
  revision: 3,
  savedAt: '2026-11-15T09:30:00.000Z',
  savedBy: { accountId: 1, name: 'Ada Lovelace' },
  name: exampleEmail.name,
  subject: exampleEmail.subject,
  changed: ['subject', 'html'],
  restoredFrom: null,
  isCurrent: true,
};

export const listEmailHistory = route({
  id: 'listEmailHistory',
  tag,
  method: 'GET',
  path: '/emails/{id}/history',
  versions: onlyV2,
  summary: 'List the saves of an email',
  description:
    'Newest first, without their texts. The newest 100 are kept unless the service is set up otherwise; they go when the email is deleted.',
  pathParams,
  query: paging,
  snakeCase: true,
  data: EmailRevisionRow,
  paged: true,
  errors,
  example: { path: { id }, data: [row] },
});

export const getEmailRevision = route({
  id: 'getEmailRevision',
  tag,
  method: 'GET',
  path: '/emails/{id}/history/{revision}',
  versions: onlyV2,
  summary: 'Read what an email was after a save',
  pathParams: { ...pathParams, revision: 'Number of the save, as in the history.' },
  data: EmailRevision,
  paged: false,
  errors,
  example: {
    path: { id, revision: '3' },
    data: {
      ...row,
      preheader: exampleEmail.preheader,
      html: exampleEmail.html,
      design: exampleEmail.design,
      fromEmail: exampleEmail.fromEmail,
      replyTo: exampleEmail.replyTo,
      topicId: exampleEmail.topicId,
    },
  },
});

export const restoreEmail = route({
  id: 'restoreEmail',
  tag,
  method: 'POST',
  path: '/emails/{id}/restore',
  versions: onlyV2,
  summary: 'Make an earlier save of an email current again',
  description:
    'Makes a new save: nothing of the history is lost. Restores the name, the texts and the sender; the email stays in its folder. The same checks as creation, and `If-Match` as with a PATCH. A revision that is not in the history is a 400.',
  pathParams,
  body: Named('EmailRestoreInput', { revision: Revision }),
  hasEtag: true,
  data: Email,
  paged: false,
  errors: [
    ...errors,
    'UnapprovedEmailDomainException',
    'UnknownVariablesException',
    'TEMPLATE_ALREADY_EXISTS',
    'EDIT_CONFLICT',
  ],
  example: { path: { id }, body: { revision: 1 }, data: exampleEmail },
});

export const emailHistoryRoutes = [listEmailHistory, getEmailRevision, restoreEmail] as const;
