// Messages: one email to one contact. The ledger of what is sent, and what came of it.
import { Type } from 'typebox';
import { paging } from './params.js';
import { onlyV2, route } from './route.js';
import {
  AssetId,
  CheckedLater,
  ContactId,
  Count,
  EmailText,
  FreeObject,
  Instant,
  InstantText,
  Named,
  Nullable,
  Words,
} from './schema.js';

const tag = 'Messages';

export const messageKinds = ['journey', 'broadcast', 'transactional', 'direct', 'test'] as const;
export const messageStates = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'bounced',
  'failed',
  'skipped',
  'cancelled',
] as const;
export type MessageState = (typeof messageStates)[number];
export type MessageKind = (typeof messageKinds)[number];

const stateWords = `\`queued\` waits for its time, its turn or its next attempt; \`sending\` is with a sender; \`sent\` was taken by the mail server;
\`delivered\`: the provider said so; \`bounced\` was refused for good or came back; \`failed\` was given up or could not be rendered; \`skipped\` was not sent, and
\`reason\` says why; \`cancelled\` by a caller.`;
const MessageId = Type.String({ pattern: '^[0-9a-f]{32}$', description: 'Message id, 32 hex digits.' });

const rowFields = {
  messageId: MessageId,
  kind: Words(messageKinds),
  state: Words(messageStates, stateWords.replaceAll('\n', ' ')),
  reason: Nullable(
    Type.String({
      description:
        'For a bounce it begins with the status code. For a sent message `outbox`: there is no mail server, and it is kept. For a skipped message: `unsubscribed`, `bounced`, `complained`, `manual`, `erased`, `capped`, `holdout`, `emailDeleted`, `journeyStopped`, `takenOut` (of the journey by a person), `topic` or `noSender`.',
    }),
  ),
  contactId: Nullable(ContactId('Null once the contact is erased; so are `email` and `subject`.')),
  email: Nullable(Type.String({ description: 'The address that it goes to.' })),
  emailId: AssetId('Id of the email that is sent.'),
  subject: Nullable(Type.String({ description: 'As it was rendered; null before.' })),
  version: Nullable(Words(['default', 'personalized'])),
  language: Type.Optional(
    Type.String({ description: "The language that it was sent in. Left out: the email's own, or not sent yet." }),
  ),
  journeyId: Nullable(AssetId()),
  enrolmentId: Nullable(Type.String()),
  stepId: Nullable(Type.String()),
  queuedAt: Instant,
  dueAt: Nullable(Instant),
  sentAt: Nullable(Instant),
  deliveredAt: Nullable(Instant),
  firstOpenedAt: Nullable(Type.String({ format: 'date-time', description: 'The first open by a person.' })),
  firstClickedAt: Nullable(Type.String({ format: 'date-time', description: 'The first click by a person.' })),
  bouncedAt: Nullable(Instant),
};
export const MessageRow = Named('Message', rowFields);

const TimelineEntry = Named('MessageTimelineEntry', {
  at: Instant,
  what: Type.String({
    description:
      '`queued`, `sending`, `repeated`, `deferred`, `sent`, `delivered`, `opened`, `clicked`, `bounced`, `complained`, `unsubscribed`, `skipped`, `failed`, `cancelled`.',
  }),
  detail: Type.Optional(Type.String()),
});
const Attempt = Named('MessageAttempt', {
  at: Instant,
  reply: Type.String({ description: 'What the mail server said, or what went wrong. Addresses are removed.' }),
  outcome: Words(['sent', 'refused', 'later', 'failed']),
});
export const MessageDetail = Named('MessageDetail', {
  ...rowFields,
  timeline: Type.Array(TimelineEntry, { description: 'Oldest first; at most the newest 500 entries.' }),
  attempts: Type.Array(Attempt, { description: 'Oldest first.' }),
});

export const mostDataBytes = 32 * 1024;
const MessageBody = Named('MessageInput', {
  emailId: Type.String({ pattern: '\\S', form: 'is required', description: 'Id of the email to send.' }),
  contactId: Type.Optional(Type.String({ description: 'The recipient: this, or `email`.' })),
  email: Type.Optional(EmailText),
  data: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      ...FreeObject,
      description: 'What `{{data.…}}` shows in the email. At most 32 KiB as compact JSON.',
    }),
  ),
  transactional: Type.Optional(
    Type.Boolean({
      description:
        'Ignores `unsubscribed`, caps and a pause, never `bounced`, `complained` and `manual`. Carries no one-click unsubscribe header.',
    }),
  ),
  sendAt: Type.Optional(InstantText),
});
export type MessageText = Type.Static<typeof MessageBody>;

const Queued = Named('QueuedMessage', { messageId: MessageId, state: Words(messageStates) });
const messageId = '019a8b2c4d5e7f708192a3b4c5d6e7f9';
const contactId = '019a8b2c4d5e7f708192a3b4c5d6e7f8';
const emailId = '019a8b2c4d5e6f708192a3c1';
const path = { messageId };
const pathParams = { messageId: 'Message id, 32 hex digits.' };
const row = {
  messageId,
  kind: 'transactional',
  state: 'sent',
  reason: null,
  contactId,
  email: 'ada@example.com',
  emailId,
  subject: 'Your receipt',
  version: 'default',
  journeyId: null,
  enrolmentId: null,
  stepId: null,
  queuedAt: '2026-11-15T09:30:00.000Z',
  dueAt: '2026-11-15T09:30:00.000Z',
  sentAt: '2026-11-15T09:30:00.210Z',
  deliveredAt: null,
  firstOpenedAt: null,
  firstClickedAt: null,
  bouncedAt: null,
};

export const sendMessage = route({
  id: 'sendMessage',
  tag,
  method: 'POST',
  path: '/messages',
  versions: onlyV2,
  summary: 'Send an email to a contact',
  description:
    'Queues one message. What it says is decided when it leaves: the contact’s ready version, else the email’s own content, with the properties of that moment.',
  body: MessageBody,
  data: Queued,
  paged: false,
  errors: ['NOT_FOUND', 'BAS-E-002'],
  example: {
    body: { emailId, email: 'ada@example.com', data: { order: 'A-17' }, transactional: true },
    data: { messageId, state: 'queued' },
  },
});

const BatchResult = Named('MessageResult', {
  index: Count('Place of the message in the request, from 0.'),
  messageId: Type.Optional(MessageId),
  state: Words(['queued', 'failed']),
  error: Type.Optional(Type.String({ description: 'Why it was not queued.' })),
});
export const sendMessages = route({
  id: 'sendMessages',
  tag,
  method: 'POST',
  path: '/messages/batch',
  versions: onlyV2,
  summary: 'Send up to 1,000 messages',
  description: 'Each has its own outcome: good ones are queued, bad ones say why.',
  body: Named('MessageBatch', { messages: Type.Array(CheckedLater(MessageBody), { minItems: 1, maxItems: 1000 }) }),
  data: Named('MessageResults', { results: Type.Array(BatchResult) }),
  paged: false,
  errors: [],
  example: {
    body: { messages: [{ emailId, contactId }] },
    data: { results: [{ index: 0, messageId, state: 'queued' }] },
  },
});

const textFilter = (description: string) =>
  ({ kind: 'text', emptyIsAbsent: false, repeatable: false, description }) as const;
export const listMessages = route({
  id: 'listMessages',
  tag,
  method: 'GET',
  path: '/messages',
  versions: onlyV2,
  summary: 'List messages',
  description: 'Newest first by `queuedAt`, which the times bound.',
  query: {
    contactId: textFilter('To this contact.'),
    email: textFilter('To this address.'),
    emailId: textFilter('That send this email.'),
    journeyId: textFilter('Of this journey.'),
    enrolmentId: textFilter('Of this enrollment.'),
    state: { kind: 'choice', words: messageStates, repeatable: true, description: 'In one of these states.' },
    kept: {
      kind: 'choice',
      words: ['true', 'false'],
      repeatable: false,
      description: '`true`: only those that are kept in the outbox. `false`: none of those.',
    },
    startTime: { kind: 'instant', repeatable: false, description: 'Queued at this time or later.' },
    endTime: { kind: 'instant', repeatable: false, description: 'Queued at this time or earlier.' },
    ...paging,
  },
  data: MessageRow,
  paged: true,
  errors: [],
  example: { query: { state: 'sent' }, data: [row] },
});

export const getMessage = route({
  id: 'getMessage',
  tag,
  method: 'GET',
  path: '/messages/{messageId}',
  versions: onlyV2,
  summary: 'Read a message',
  description: 'With everything that happened to it, and every attempt to hand it to a mail server.',
  pathParams,
  data: MessageDetail,
  paged: false,
  errors: ['NOT_FOUND'],
  example: {
    path,
    data: {
      ...row,
      timeline: [
        { at: row.queuedAt, what: 'queued' },
        { at: row.sentAt, what: 'sent', detail: '250 2.0.0 Ok: queued as 4F3B2' },
      ],
      attempts: [{ at: row.sentAt, reply: '250 2.0.0 Ok: queued as 4F3B2', outcome: 'sent' }],
    },
  },
});

export const cancelMessage = route({
  id: 'cancelMessage',
  tag,
  method: 'POST',
  path: '/messages/{messageId}/cancel',
  versions: onlyV2,
  summary: 'Cancel a message',
  description: 'While it is queued; later it is a 409.',
  pathParams,
  data: MessageRow,
  paged: false,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: { path, data: { ...row, state: 'cancelled', subject: null, version: null, sentAt: null } },
});

export const messageRoutes = [sendMessage, sendMessages, listMessages, getMessage, cancelMessage];
