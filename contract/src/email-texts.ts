// The texts of an email, for translators: out as JSON or XLIFF 2, and back.
import { Type } from 'typebox';
import { exampleEmail } from './emails.js';
import { onlyV2, route } from './route.js';
import { AssetId, Count, Named, Nullable } from './schema.js';

const tag = 'Emails';
const { id } = exampleEmail;
const pathParams = { id: 'Email id, 24 hex digits.' };
const codes =
  'In texts of designs, `<1/>` is a variable and `<2>…</2>` a part with a form or a link, by their place in the source; `&lt;` and `&amp;` are the signs themselves. All others are taken as they are, with their Liquid.';

const EmailText = Named('EmailTextUnit', {
  id: Type.String({ description: 'Its place, such as `subject` or `design.blocks[3].label`.' }),
  source: Type.String({ description: `The email's own. ${codes}` }),
  target: Nullable(Type.String({ description: 'Null: not translated.' })),
});
const example = [
  { id: 'subject', source: 'Welcome', target: 'Willkommen' },
  { id: 'design.blocks[1].content[0]', source: 'Hello <2/>, good to have you.', target: null },
];

export const getEmailTexts = route({
  id: 'getEmailTexts',
  tag,
  method: 'GET',
  path: '/emails/{id}/texts',
  versions: onlyV2,
  summary: 'Read the texts of an email for translation',
  description:
    'With what is translated already. Saved blocks are not among them: emails share them. The html of an email without a design is one text.',
  pathParams,
  query: {
    language: {
      kind: 'text',
      emptyIsAbsent: false,
      repeatable: false,
      required: true,
      description: 'The language to translate into, such as `de` or `pt-BR`.',
    },
    format: {
      kind: 'choice',
      words: ['json', 'xliff'],
      repeatable: false,
      description: '`xliff`: `xliff` has a whole XLIFF 2.0 document, and `texts` is left out. `json` by default.',
    },
  },
  hasEtag: true,
  data: Named('EmailTexts', {
    emailId: AssetId(),
    language: Type.String(),
    sourceLanguage: Type.String({ description: 'What the design or the html says; `en` where it says nothing.' }),
    texts: Type.Optional(Type.Array(EmailText)),
    xliff: Type.Optional(Type.String()),
  }),
  paged: false,
  errors: ['NOT_FOUND'],
  example: {
    path: { id },
    query: { language: 'de' },
    data: { emailId: id, language: 'de', sourceLanguage: 'en', texts: example },
  },
});

export const putEmailTexts = route({
  id: 'putEmailTexts',
  tag,
  method: 'PUT',
  path: '/emails/{id}/texts',
  versions: onlyV2,
  summary: 'Store translated texts of an email',
  description:
    'Either `texts` with their `language`, or an XLIFF 2 document, which names its own. Texts without a translation are left as they are, and so are those that are not named. An id that the email does not have is a 400, and nothing changes. A text whose `source` is no longer that of the email is skipped. The checks of a PATCH; `If-Match` too.',
  pathParams,
  body: Named('EmailTextsInput', {
    language: Type.Optional(
      Type.String({ description: 'The language that they are in. An XLIFF document must agree.' }),
    ),
    texts: Type.Optional(
      Type.Array(
        Named('EmailTextInput', {
          id: Type.String(),
          source: Type.Optional(Type.String({ description: 'What it was translated from.' })),
          target: Type.Optional(Nullable(Type.String())),
        }),
        { maxItems: 5000 },
      ),
    ),
    xliff: Type.Optional(Type.String({ description: 'Without a document type.' })),
  }),
  hasEtag: true,
  data: Named('StoredEmailTexts', {
    emailId: AssetId(),
    language: Type.String(),
    applied: Count('How many texts were stored.'),
    skipped: Type.Array(Named('SkippedEmailText', { id: Type.String(), reason: Type.String() })),
    missing: Type.Array(Type.String(), { description: 'What is not translated yet.' }),
  }),
  paged: false,
  errors: ['NOT_FOUND', 'UnapprovedEmailDomainException', 'UnknownVariablesException', 'EDIT_CONFLICT'],
  example: {
    path: { id },
    body: { language: 'de', texts: [{ id: 'subject', target: 'Willkommen' }] },
    data: { emailId: id, language: 'de', applied: 1, skipped: [], missing: ['design.blocks[1].content[0]'] },
  },
});

export const emailTextRoutes = [getEmailTexts, putEmailTexts] as const;
