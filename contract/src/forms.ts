// Forms: how people subscribe by themselves, and what they sent.
import { Type } from 'typebox';
import { formFieldTypes, formStates, mostFormFields, refusalReasons, submissionOutcomes } from './grammar/forms.js';
import { propertyKeyPattern } from './grammar/property-key.js';
import { paging, search } from './params.js';
import { onlyV2, route } from './route.js';
import { AssetId, ContactId, Count, Instant, Named, Nullable, StoredProperties, Text, Words } from './schema.js';

const aboutProperty = 'The property of the contact that it fills in; of the email, the name of the field.';
const aboutOptions = 'Of a select: what can be chosen.';
const shownField = {
  property: Type.String({ description: aboutProperty }),
  label: Type.String(),
  type: Words(formFieldTypes),
  required: Type.Boolean(),
};
const Options = Type.Array(Type.String(), { description: aboutOptions });
const FormField = Named('FormField', { ...shownField, options: Type.Optional(Options) });
const FormSuccess = Named(
  'FormSuccess',
  { message: Type.Optional(Type.String()), url: Type.Optional(Type.String()) },
  'What follows: a page with this message, or another page.',
);

const counts = {
  viewed: Count('How often the page was shown.'),
  submitted: Count('Without the refused.'),
  confirmed: Count(),
  refused: Count(),
};

export const Form = Named('Form', {
  formId: AssetId(),
  name: Type.String(),
  fields: Type.Array(FormField),
  topicIds: Type.Array(AssetId()),
  listId: Nullable(AssetId('The static list that people join.')),
  consentText: Type.String({ description: 'What people agree to, as the form shows it.' }),
  success: Nullable(FormSuccess, 'Null: a page that says thank you.'),
  allowedOrigins: Type.Array(Type.String(), {
    description: 'Sites whose scripts may send, and which may show the page in a frame.',
  }),
  state: Words(formStates),
  url: Type.String({ description: 'The page.' }),
  embed: Type.String({ description: 'HTML to paste into a site.' }),
  counts: Named('FormCounts', counts),
  createdAt: Instant,
  updatedAt: Instant,
});

export const FormSubmission = Named('FormSubmission', {
  submissionId: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  at: Instant,
  contactId: Nullable(ContactId('Null of a refused one, until it is applied, and once the contact is erased.')),
  outcome: Words(submissionOutcomes),
  reason: Nullable(Words(refusalReasons), 'Of a refused one.'),
  values: StoredProperties,
});

const tag = 'Forms';
const id = '019a8b2c4d5e6f708192a3f1';
const topicId = '019a8b2c4d5e6f708192a3d1';
const at = '2026-11-15T09:30:00.000Z';
const exampleFields = [
  { property: 'email', label: 'Email', type: 'email', required: true },
  { property: 'first_name', label: 'First name', type: 'text', required: false },
];
const exampleContent = {
  ...{ name: 'Newsletter', fields: exampleFields, topicIds: [topicId], listId: null },
  consentText: 'Yes, send me product news once a month. I can unsubscribe at any time.',
  ...{ success: { message: 'Thank you!' }, allowedOrigins: ['https://example.com'], state: 'open' },
};
const example = {
  ...{ formId: id, ...exampleContent, url: 'https://rapport.example.com/f/AQGaiyxNXm9wgZKj8Q' },
  embed: '<form action="https://rapport.example.com/f/AQGaiyxNXm9wgZKj8Q" method="post">…</form>',
  ...{ counts: { viewed: 412, submitted: 80, confirmed: 71, refused: 9 }, createdAt: at, updatedAt: at },
};
const pathParams = { formId: 'Form id, 24 hex digits.' };

const mostOptions = 100;

const content = {
  name: Text(255),
  fields: Type.Array(
    Named('FormFieldInput', {
      property: Type.String({
        ...{ pattern: propertyKeyPattern, form: 'must be a property key: a-z, 0-9 and _, at most 64' },
        description: aboutProperty,
      }),
      label: Text(200),
      type: shownField.type,
      required: Type.Optional(
        Nullable(Type.Boolean({ description: 'False by default. The email is always required.' })),
      ),
      options: Type.Optional(Nullable(Type.Array(Text(200), { maxItems: mostOptions, description: aboutOptions }))),
    }),
    { minItems: 1, maxItems: mostFormFields, description: 'Exactly one has the type `email`.' },
  ),
  topicIds: Type.Array(Type.String(), {
    maxItems: 20,
    description: 'What people subscribe to. An unknown topic is a 400.',
  }),
  listId: Nullable(Type.String({ description: 'Id of a static list. An unknown one is a 400.' })),
  consentText: Text(1000, { description: 'What people agree to. The consent log keeps it.' }),
  success: Nullable(
    Named('FormSuccessInput', {
      message: Type.Optional(Nullable(Text(1000))),
      url: Type.Optional(Nullable(Text(2000, { description: 'http or https.' }))),
    }),
    'Either a message or a url.',
  ),
  allowedOrigins: Type.Array(Text(300), { maxItems: 20, description: 'Such as `https://example.com`.' }),
  state: Words(formStates, '`open` by default.'),
};

export const listForms = route({
  id: 'listForms',
  tag,
  method: 'GET',
  path: '/forms',
  versions: onlyV2,
  summary: 'List forms',
  description: 'Newest first.',
  query: { search, ...paging },
  snakeCase: true,
  data: Form,
  paged: true,
  errors: [],
  example: { data: [example] },
});

export const createForm = route({
  id: 'createForm',
  tag,
  method: 'POST',
  path: '/forms',
  versions: onlyV2,
  summary: 'Create a form',
  description:
    'It is open by default. Refused if a topic has double opt-in, but neither a `confirmEmailId` nor a sending domain to ask from.',
  body: Named('FormInput', {
    name: content.name,
    fields: content.fields,
    topicIds: content.topicIds,
    listId: Type.Optional(content.listId),
    consentText: content.consentText,
    success: Type.Optional(content.success),
    allowedOrigins: Type.Optional(content.allowedOrigins),
    state: Type.Optional(content.state),
  }),
  data: Form,
  paged: false,
  errors: ['INVALID_STATE'],
  example: {
    body: { ...exampleContent, listId: undefined },
    data: { ...example, counts: { viewed: 0, submitted: 0, confirmed: 0, refused: 0 } },
  },
});

export const getForm = route({
  id: 'getForm',
  tag,
  method: 'GET',
  path: '/forms/{formId}',
  versions: onlyV2,
  summary: 'Read a form',
  pathParams,
  data: Form,
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path: { formId: id }, data: example },
});

export const updateForm = route({
  id: 'updateForm',
  tag,
  method: 'PATCH',
  path: '/forms/{formId}',
  versions: onlyV2,
  summary: 'Change, open or close a form',
  pathParams,
  body: Named('FormPatch', {
    name: Type.Optional(content.name),
    fields: Type.Optional(content.fields),
    topicIds: Type.Optional(content.topicIds),
    listId: Type.Optional(content.listId),
    consentText: Type.Optional(content.consentText),
    success: Type.Optional(content.success),
    allowedOrigins: Type.Optional(Nullable(content.allowedOrigins)),
    state: Type.Optional(Nullable(content.state)),
  }),
  data: Form,
  paged: false,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: { path: { formId: id }, body: { state: 'closed' }, data: { ...example, state: 'closed' } },
});

export const deleteForm = route({
  id: 'deleteForm',
  tag,
  method: 'DELETE',
  path: '/forms/{formId}',
  versions: onlyV2,
  summary: 'Delete a form',
  description:
    'Its submissions are deleted, too. Links that were mailed before still confirm. Refused while a journey uses it.',
  pathParams,
  data: Named('DeletedForm', { formId: AssetId(), success: Type.Boolean() }),
  paged: false,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: { path: { formId: id }, data: { formId: id, success: true } },
});

export const listFormSubmissions = route({
  id: 'listFormSubmissions',
  tag,
  method: 'GET',
  path: '/forms/{formId}/submissions',
  versions: onlyV2,
  summary: 'List the submissions of a form',
  description: 'Newest first.',
  pathParams,
  query: paging,
  data: FormSubmission,
  paged: true,
  errors: ['NOT_FOUND'],
  example: {
    path: { formId: id },
    data: [
      {
        ...{ submissionId: '019a8b2c4d5e7f708192a3b4c5d6e7f1', at, contactId: '019a8b2c4d5e7f708192a3b4c5d6e7f8' },
        ...{ outcome: 'confirmed', reason: null, values: { email: 'grace@example.com', first_name: 'Grace' } },
      },
    ],
  },
});

export const getFormDays = route({
  id: 'getFormDays',
  tag,
  method: 'GET',
  path: '/forms/{formId}/days',
  versions: onlyV2,
  summary: 'Read the counts of a form by day',
  description:
    'The last `days` days of UTC with today, oldest first. A submission that is refused after it was taken is counted on the day it came.',
  pathParams,
  query: {
    days: {
      ...{ kind: 'whole', min: 1, max: 366, default: 30, repeatable: false },
      description: 'How many days, 1 to 366; 30 by default.',
    },
  },
  data: Named('FormDays', {
    formId: AssetId(),
    days: Type.Array(Named('FormDay', { day: Type.String({ format: 'date' }), ...counts })),
  }),
  paged: false,
  errors: ['NOT_FOUND'],
  example: {
    path: { formId: id },
    query: { days: '2' },
    data: {
      formId: id,
      days: [
        { day: '2026-11-14', viewed: 31, submitted: 6, confirmed: 5, refused: 0 },
        { day: '2026-11-15', viewed: 40, submitted: 9, confirmed: 7, refused: 1 },
      ],
    },
  },
});

export const formRoutes = [
  ...[listForms, createForm, getForm, updateForm, deleteForm],
  ...[listFormSubmissions, getFormDays],
] as const;
