// Asynchronous writes: the acknowledgement, and what a poll answers.
import { Type } from 'typebox';
import { ContactId, Count, Instant, Named, Nullable, Words } from './schema.js';

export const Acknowledgement = Named('Acknowledgement', {
  transactionId: Type.String({
    pattern: '^\\d+-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
    description: 'Poll it until `status` is DONE.',
  }),
  status: Type.Literal('PENDING'),
  createdAt: Instant,
});

const IgnoredProperties = Type.Optional(
  Type.Array(Type.String(), { description: 'Keys that are not snake_case, and keys with nested values.' }),
);

export const ContactResult = Named('ContactResult', {
  email: Nullable(Type.String({ description: 'Null once the person is erased.' })),
  status: Words(['CREATED', 'UPDATED', 'NO_CHANGE', 'FAILED']),
  contactId: Type.Optional(ContactId()),
  error: Type.Optional(Type.String({ description: 'Why the item failed.' })),
  ignoredProperties: IgnoredProperties,
});

export const UserResult = Named('UserResult', {
  userId: Nullable(Type.String({ description: 'Null once the person is erased.' })),
  orgId: Nullable(Type.String()),
  operation: Type.String({ description: 'UPSERT_PRODUCT_USER.' }),
  status: Words(['PENDING', 'CREATED', 'UPDATED', 'NO_CHANGE', 'FAILED']),
  error: Type.Optional(Type.String()),
  ignoredProperties: IgnoredProperties,
});

export const ImportCounts = Named(
  'ImportCounts',
  { CREATED: Count(), UPDATED: Count(), NO_CHANGE: Count(), FAILED: Count() },
  'For an import: outcomes of the rows applied so far.',
);

/** Told beside the counts: such a row is applied, but for what it says of that topic. */
export const Kept = Count(
  'Of an import: rows that would have subscribed a contact to a topic that it unsubscribed from. It stays unsubscribed. Left out where there is none.',
);

export const ImportProgress = Named(
  'ImportProgress',
  { done: Count(), total: Count() },
  'For an import: rows applied so far, and all.',
);

export const WriteTransaction = Named(
  'WriteTransaction',
  {
    transactionId: Type.String({ description: 'As it was asked for.' }),
    status: Words(['PENDING', 'DONE', 'NOT_EXIST']),
    createdAt: Type.Optional(Instant),
    results: Type.Optional(Type.Array(UserResult, { description: 'For a product-user write.' })),
    data: Type.Optional(Type.Object({ results: Type.Array(ContactResult) }, { description: 'Once DONE.' })),
    counts: Type.Optional(ImportCounts),
    kept: Type.Optional(Kept),
    progress: Type.Optional(ImportProgress),
    ignoredProperties: Type.Optional(
      Type.Array(Type.String(), {
        description: 'For an import: keys that were ignored, because they are not snake_case or have nested values.',
      }),
    ),
  },
  'An unknown transaction id answers the status NOT_EXIST and nothing else.',
);

export const exampleAcknowledgement = {
  transactionId: '1-019a8b2c-4d5e-7f70-8192-a3b4c5d6e7f8',
  status: 'PENDING',
  createdAt: '2026-11-15T09:30:00.000Z',
};
