// Webhooks: subscriptions, their deliveries, and the secrets that sign them.
import { Type } from 'typebox';
import { paging } from './params.js';
import { onlyV2, route } from './route.js';
import { AssetId, Count, Instant, Named, Nullable, Words } from './schema.js';

const tag = 'Webhooks';

export const webhookEvents = [
  'message.sent',
  'message.delivered',
  'message.opened',
  'message.clicked',
  'message.bounced',
  'message.complained',
  'contact.unsubscribed',
  'journey.entered',
  'journey.completed',
  'journey.exited',
  'journey.goal',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];
export const deliveryStates = ['waiting', 'delivered', 'failed', 'dropped'] as const;

export const WebhookUrl = Type.String({
  minLength: 1,
  maxLength: 2000,
  trim: true,
  description:
    'http or https, without a user or password in it. Private and loopback addresses are refused unless the operator allows them.',
});
export const WebhookEvents = Type.Array(Words(webhookEvents), {
  minItems: 1,
  maxItems: webhookEvents.length,
  description: 'Each once.',
});
const fields = {
  webhookId: AssetId(),
  url: Type.String(),
  events: Type.Array(Words(webhookEvents)),
  state: Words(
    ['active', 'failing', 'disabled'],
    '`failing`: nothing more is sent until it is resumed; events are kept. `disabled`: by a person; events are not kept.',
  ),
  reason: Nullable(Type.String({ description: 'Why it is failing.' })),
  failingSince: Nullable(Instant),
  dropped: Count('Events that were not kept, because 10,000 were waiting while it was failing.'),
  createdAt: Instant,
};
export const Webhook = Named('Webhook', fields);
const secretNote = 'The secret that signs its calls, as in Standard Webhooks. Shown only once.';
export const NewWebhook = Named('NewWebhook', { ...fields, secret: Type.String({ description: secretNote }) });
export const WebhookDelivery = Named('WebhookDelivery', {
  deliveryId: Type.String({ pattern: '^[0-9a-f]{32}$', description: 'The `webhook-id` of every attempt.' }),
  type: Type.String({ description: 'What happened, as in `events`.' }),
  state: Words(
    deliveryStates,
    '`waiting` for its turn or its next attempt; `delivered`; `failed`: given up; `dropped`: its contact was erased.',
  ),
  attempts: Count(),
  createdAt: Instant,
  lastTriedAt: Nullable(Instant),
  nextAttemptAt: Nullable(Instant),
  status: Nullable(Type.Integer({ description: 'The HTTP status of the last answer.' })),
  error: Nullable(Type.String({ description: 'What went wrong last time.' })),
});
export const NewSecret = Named('WebhookSecret', {
  secret: Type.String({ description: secretNote }),
  createdAt: Instant,
});

const webhookId = '65f1c0ffee0123456789abcd';
const at = '2026-11-15T09:30:00.000Z';
const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const example = {
  webhookId,
  url: 'https://example.com/rapport',
  events: ['message.bounced', 'contact.unsubscribed'],
  state: 'active',
  reason: null,
  failingSince: null,
  dropped: 0,
  createdAt: at,
};
const path = { id: webhookId };
const pathParams = { id: 'Webhook id, 24 hex digits.' };

export const createWebhook = route({
  id: 'createWebhook',
  tag,
  method: 'POST',
  path: '/webhooks',
  versions: onlyV2,
  summary: 'Subscribe to events',
  description:
    'From now on each of these events is posted to the address as `{type, timestamp, data}`, signed, in order per contact, and retried for up to 24 hours.',
  body: Type.Object({
    url: WebhookUrl,
    events: WebhookEvents,
  }),
  data: NewWebhook,
  paged: false,
  errors: ['INVALID_STATE'],
  example: { body: { url: example.url, events: example.events }, data: { ...example, secret } },
});

export const listWebhooks = route({
  id: 'listWebhooks',
  tag,
  method: 'GET',
  path: '/webhooks',
  versions: onlyV2,
  summary: 'List webhooks',
  description: 'Newest first.',
  query: paging,
  data: Webhook,
  paged: true,
  errors: [],
  example: { data: [example] },
});

export const getWebhook = route({
  id: 'getWebhook',
  tag,
  method: 'GET',
  path: '/webhooks/{id}',
  versions: onlyV2,
  summary: 'Read a webhook',
  pathParams,
  data: Webhook,
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path, data: example },
});

export const deleteWebhook = route({
  id: 'deleteWebhook',
  tag,
  method: 'DELETE',
  path: '/webhooks/{id}',
  versions: onlyV2,
  summary: 'Delete a webhook',
  description: 'Waiting deliveries are dropped.',
  pathParams,
  data: Type.Object({ webhookId: Type.String(), success: Type.Boolean() }),
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path, data: { webhookId, success: true } },
});

export const listWebhookDeliveries = route({
  id: 'listWebhookDeliveries',
  tag,
  method: 'GET',
  path: '/webhooks/{id}/deliveries',
  versions: onlyV2,
  summary: 'List deliveries of a webhook',
  description: 'Newest first, of the last 30 days unless configured otherwise.',
  pathParams,
  query: paging,
  data: WebhookDelivery,
  paged: true,
  errors: ['NOT_FOUND'],
  example: {
    path,
    data: [
      {
        deliveryId: '019a8b2c4d5e7f708192a3b4c5d6e7f9',
        type: 'message.bounced',
        state: 'waiting',
        attempts: 2,
        createdAt: at,
        lastTriedAt: '2026-11-15T09:30:05.120Z',
        nextAttemptAt: '2026-11-15T09:30:15.700Z',
        status: 500,
        error: 'It answered 500.',
      },
    ],
  },
});

export const resumeWebhook = route({
  id: 'resumeWebhook',
  tag,
  method: 'POST',
  path: '/webhooks/{id}/resume',
  versions: onlyV2,
  summary: 'Resume a failing webhook',
  description: 'Kept events are sent, oldest first. Resuming one that is active changes nothing.',
  pathParams,
  data: Webhook,
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path, data: example },
});

export const renewWebhookSecret = route({
  id: 'renewWebhookSecret',
  tag,
  method: 'POST',
  path: '/webhooks/secret',
  versions: onlyV2,
  summary: 'Make a new secret for webhook steps of journeys',
  description: 'The previous one also signs for 24 hours, so that receivers can switch.',
  data: NewSecret,
  paged: false,
  errors: [],
  example: { data: { secret, createdAt: at } },
});

export const webhookRoutes = [
  createWebhook,
  listWebhooks,
  getWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  resumeWebhook,
  renewWebhookSecret,
];
