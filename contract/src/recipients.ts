// The people of an email: who got it, opened it, clicked in it.
import { Type } from 'typebox';
import { messageKinds, messageStates } from './messages.js';
import { choice, search } from './params.js';
import { onlyV2, route } from './route.js';
import { AssetId, ContactId, Instant, Named, Nullable, Words } from './schema.js';

/** Which of them. */
export const recipientGroups = [
  ...(['received', 'opened', 'clicked', 'notOpened', 'bounced', 'notSent', 'waiting'] as const),
] as const;
export type RecipientGroup = (typeof recipientGroups)[number];

const Recipient = Named('Recipient', {
  messageId: Type.String({ description: 'The message to this person.' }),
  kind: Words(messageKinds),
  state: Words(messageStates),
  reason: Nullable(Type.String({ description: 'As of the message.' })),
  contactId: Nullable(ContactId('Null once the contact is erased; so are the address and the name.')),
  email: Nullable(Type.String({ description: 'The address that it went to.' })),
  firstName: Nullable(Type.String()),
  lastName: Nullable(Type.String()),
  language: Nullable(
    Type.String({ description: 'The language that it was sent in. Null: the email’s own, or not sent yet.' }),
  ),
  journeyId: Nullable(AssetId()),
  queuedAt: Instant,
  sentAt: Nullable(Instant),
  deliveredAt: Nullable(Instant),
  firstOpenedAt: Nullable(Type.String({ format: 'date-time', description: 'The first open by a person.' })),
  firstClickedAt: Nullable(Type.String({ format: 'date-time', description: 'The first click by a person.' })),
  bouncedAt: Nullable(Instant),
});

const id = '019a8b2c4d5e6f708192a3c1';

/** What the list and its file are asked for. */
export const recipientParams = {
  group: choice(
    recipientGroups,
    'Everyone if it is left out. `received`: it left, and did not bounce. `opened`, `clicked`: by a person, not a machine. `notOpened`: received, with neither an open nor a click. `notSent`: `failed`, `skipped` or `cancelled`. `waiting`: `queued` or `sending`.',
  ),
  search: { ...search, description: 'Part of the name or address of a contact. Every character is literal.' },
} as const;

export const listRecipients = route({
  id: 'listRecipients',
  tag: 'Emails',
  method: 'GET',
  path: '/emails/{id}/recipients',
  versions: onlyV2,
  summary: 'List who got an email',
  description:
    'One for each message, tests aside, newest first: by the first open or click for those groups, by the time of sending for `received` and `notOpened`, else by `queuedAt`. Give `cursor` back as `after` to read on. As CSV: `/exports/emails/{id}/recipients`.',
  pathParams: { id: 'Email id, 24 hex digits.' },
  query: {
    ...recipientParams,
    after: {
      kind: 'text',
      emptyIsAbsent: true,
      repeatable: false,
      description: 'The `cursor` of the answer before, for the same `group` and `search`.',
    },
    limit: {
      kind: 'whole',
      min: 1,
      max: 200,
      default: 50,
      repeatable: false,
      description: 'At most this many, 1 to 200.',
    },
  },
  data: Named('Recipients', {
    recipients: Type.Array(Recipient),
    cursor: Nullable(Type.String({ description: 'Where the next ones begin. Null: these are the last.' })),
  }),
  paged: false,
  errors: ['NOT_FOUND'],
  example: {
    path: { id },
    query: { group: 'clicked', limit: '1' },
    data: {
      recipients: [
        {
          ...{ messageId: '019a8b2c4d5e7f708192a3b4c5d6e7f9', kind: 'journey', state: 'delivered', reason: null },
          contactId: '019a8b2c4d5e7f708192a3b4c5d6e7f8',
          ...{ email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace', language: null },
          journeyId: '019a8b2c4d5e6f708192a3d1',
          queuedAt: '2026-11-15T09:30:00.000Z',
          sentAt: '2026-11-15T09:30:00.210Z',
          deliveredAt: '2026-11-15T09:30:04.000Z',
          firstOpenedAt: '2026-11-15T10:02:11.000Z',
          firstClickedAt: '2026-11-15T10:02:40.000Z',
          bouncedAt: null,
        },
      ],
      cursor: 'MjAyNi0xMS0xNVQxMDowMjo0MC4wMDBaIDAxOWE4YjJj',
    },
  },
});

export const recipientRoutes = [listRecipients] as const;
