// Messages that were kept instead of sent: what the outbox transport shows.
import { Type } from 'typebox';
import { messageKinds } from './messages.js';
import { paging } from './params.js';
import { onlyV2, route } from './route.js';
import { Instant, Named, Nullable, Words } from './schema.js';

/** What the outbox itself keeps of a message. */
export const KeptCopy = Type.Object({
  messageId: Type.String(),
  from: Type.String(),
  to: Type.String(),
  replyTo: Type.String(),
  subject: Type.String(),
  createdAt: Instant,
});
const OutboxMessage = Named('OutboxMessage', {
  ...KeptCopy.properties,
  kind: Nullable(Words(messageKinds), 'As in the list of messages. Null if it is no longer there.'),
});
const outboxExample = {
  messageId: '<019a8b2c@example.com>',
  from: 'Rapport <hello@example.com>',
  to: 'me@example.com',
  replyTo: 'hello@example.com',
  subject: 'Welcome, Ada',
  createdAt: '2026-11-15T09:32:00.000Z',
  kind: 'test',
};

export const listOutbox = route({
  id: 'listOutbox',
  tag: 'Outbox',
  method: 'GET',
  path: '/outbox',
  versions: onlyV2,
  summary: 'List messages that were kept instead of sent',
  description: 'Newest first. Filled while SMTP_URL is not set.',
  query: paging,
  data: OutboxMessage,
  paged: true,
  errors: [],
  example: { data: [outboxExample] },
});

export const getOutboxMessage = route({
  id: 'getOutboxMessage',
  tag: 'Outbox',
  method: 'GET',
  path: '/outbox/{messageId}',
  versions: onlyV2,
  summary: 'Read a kept message',
  pathParams: { messageId: 'As in the list.' },
  data: Named('OutboxMessageWhole', {
    ...OutboxMessage.properties,
    html: Type.String(),
    text: Type.String({ description: 'The plain-text part, made from the HTML.' }),
  }),
  paged: false,
  errors: ['NOT_FOUND'],
  example: {
    path: { messageId: outboxExample.messageId },
    data: { ...outboxExample, html: '<p>Hello Ada</p>', text: 'Hello Ada' },
  },
});

export const outboxRoutes = [listOutbox, getOutboxMessage] as const;
