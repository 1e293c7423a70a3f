// Imported files of contacts: their progress, and the outcome of their rows.
import { Type } from 'typebox';
import { paging } from './params.js';
import { onlyV2, route } from './route.js';
import { AccountName, Instant, Named, Nullable, Words } from './schema.js';
import { exampleAcknowledgement, ImportCounts, ImportProgress, Kept } from './transactions.js';

const tag = 'Contacts';
const { transactionId, createdAt } = exampleAcknowledgement;

export const ContactImport = Named('ContactImport', {
  transactionId: Type.String({ description: 'From the acknowledgement.' }),
  status: Words(['PENDING', 'DONE']),
  format: Words(['csv', 'ndjson']),
  fileName: Nullable(Type.String(), 'As named by the sender; null if it was not given.'),
  createdBy: Nullable(AccountName),
  createdAt: Type.String({ format: 'date-time', description: 'When the whole file had arrived.' }),
  doneAt: Nullable(Instant, 'When its last row was applied; null while rows wait.'),
  progress: ImportProgress,
  counts: ImportCounts,
  kept: Type.Optional(Kept),
  columns: Type.Optional(
    Type.String({
      description:
        'What its columns were said to be: `columns` of the request. Left out where nothing was said, or it is too long to keep.',
    }),
  ),
  ignoredProperties: Type.Array(Type.String(), {
    description: 'Keys that were ignored, because they are not snake_case or have nested values.',
  }),
  errorsPath: Nullable(
    Type.String(),
    'Where the failed rows are, each with its reason: in the format of the file, so that they can be corrected and imported again. Null while there are none.',
  ),
});

const example = {
  transactionId,
  status: 'DONE',
  format: 'csv',
  fileName: 'people.csv',
  createdBy: { accountId: 1, name: 'Ada Lovelace' },
  createdAt,
  doneAt: '2026-11-15T09:30:04.000Z',
  progress: { done: 1200, total: 1200 },
  counts: { CREATED: 1100, UPDATED: 84, NO_CHANGE: 14, FAILED: 2 },
  columns: 'email,first_name,seats:number,signed_up:date',
  ignoredProperties: [],
  errorsPath: `/exports/transactions/${transactionId}/errors`,
};

export const listImports = route({
  id: 'listImports',
  tag,
  method: 'GET',
  path: '/imports',
  versions: onlyV2,
  summary: 'List imports',
  description:
    'Newest first, for as long as their transactions are kept: 30 days after the last row, unless set otherwise. `createdBy` is whose token the file was sent with; null for an import older than this field.',
  query: paging,
  snakeCase: true,
  data: ContactImport,
  paged: true,
  errors: [],
  example: { data: [example] },
});

export const getImport = route({
  id: 'getImport',
  tag,
  method: 'GET',
  path: '/imports/{transactionId}',
  versions: onlyV2,
  summary: 'Read an import',
  pathParams: { transactionId: 'From the acknowledgement.' },
  data: ContactImport,
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path: { transactionId }, data: example },
});

export const importRoutes = [listImports, getImport] as const;
