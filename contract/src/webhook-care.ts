// What is done to a webhook that exists: changed, tried, given a new secret.
import { Type } from 'typebox';
import { onlyV2, route } from './route.js';
import { Count, Named, Nullable } from './schema.js';
import { getWebhook, NewSecret, renewWebhookSecret, Webhook, WebhookEvents, WebhookUrl } from './webhooks.js';

const tag = 'Webhooks';
const { path, data: example } = getWebhook.example;
const { pathParams } = getWebhook;

export const WebhookTest = Named('WebhookTest', {
  ok: Type.Boolean({ description: 'It answered 2xx.' }),
  status: Nullable(Type.Integer({ description: 'The HTTP status of the answer. Null: there was none.' })),
  durationMs: Count('Milliseconds until the answer, or until it failed.'),
  answer: Nullable(Type.String(), 'The first 1,000 bytes of the answer, as text.'),
  error: Nullable(Type.String({ description: 'For people: what went wrong.' })),
});

export const updateWebhook = route({
  id: 'updateWebhook',
  tag,
  method: 'PATCH',
  path: '/webhooks/{id}',
  versions: onlyV2,
  summary: 'Change, disable or enable a webhook',
  description:
    'Events that wait go to the new address. While it is disabled, nothing is sent and what happens is not kept; events that waited before are sent once it is enabled.',
  pathParams,
  body: Type.Partial(Type.Object({ url: WebhookUrl, events: WebhookEvents, isEnabled: Type.Boolean() })),
  data: Webhook,
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path, body: { isEnabled: false }, data: { ...example, state: 'disabled' } },
});

export const testWebhook = route({
  id: 'testWebhook',
  tag,
  method: 'POST',
  path: '/webhooks/{id}/test',
  versions: onlyV2,
  summary: 'Send a test event to a webhook',
  description:
    'Posts `{type: "webhook.test", timestamp, data: {webhookId}}` at once, signed like every event, and shows the answer. It is not retried and not among the deliveries. A webhook that is disabled or failing is called too.',
  pathParams,
  data: WebhookTest,
  paged: false,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: {
    path,
    data: { ok: false, status: 401, durationMs: 128, answer: 'bad signature', error: 'It answered 401.' },
  },
});

export const rotateWebhookSecret = route({
  id: 'rotateWebhookSecret',
  tag,
  method: 'POST',
  path: '/webhooks/{id}/secret',
  versions: onlyV2,
  summary: 'Make a new secret for a webhook',
  description:
    'For 24 hours every event is signed with the previous secret too, so that the receiver can switch at any time in between.',
  pathParams,
  data: NewSecret,
  paged: false,
  errors: ['NOT_FOUND'],
  example: { path, data: renewWebhookSecret.example.data },
});

export const webhookCareRoutes = [updateWebhook, testWebhook, rotateWebhookSecret] as const;
