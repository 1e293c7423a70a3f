// Alerts: what went wrong and needs somebody to look, and where they are told of it.
import { Type } from 'typebox';
import { alertKinds, alertStates, alertSubjects } from './alert-pages.js';
import { choice, paging } from './params.js';
import { onlyV2, route } from './route.js';
import { AssetId, Count, Instant, Named, Nullable, Success, Words } from './schema.js';
import { WebhookTest } from './webhook-care.js';

export const Alert = Named('Alert', {
  alertId: AssetId(),
  kind: Words(
    alertKinds,
    '`bounces`, `complaints`: too much of the mail of 24 hours came back for good, or was reported as spam. `journeyStopped`: nobody has entered a journey for 24 hours that people entered daily. `listHalved`: a list has less than half of the members that it had at the start of the day, or of the day before, in UTC.',
  ),
  state: Words(alertStates, 'It closes by itself once what it is about is over.'),
  openedAt: Instant,
  closedAt: Nullable(Instant),
  subject: Named('AlertSubject', {
    type: Words(alertSubjects),
    id: Nullable(AssetId('Of the journey or the list. Null for mail, which is that of the whole workspace.')),
    name: Nullable(Type.String({ description: 'As it is called now. Null for mail, and for what was deleted.' })),
  }),
  count: Count(
    'When it opened: messages that bounced or were complained about, contacts that entered in 24 hours (none), members of the list.',
  ),
  comparedWith: Count(
    'When it opened: messages that were sent in these 24 hours, contacts that entered in the seven days before, members of the list then.',
  ),
  text: Type.String({ description: 'A sentence for people.' }),
  link: Nullable(Type.String({ description: 'The read of this API that tells more. Null for what was deleted.' })),
});

const alertId = '65f1c0ffee0123456789abcd';
const journeyId = '65f1c0ffee0123456789abce';
const example = {
  ...{ alertId, kind: 'journeyStopped', state: 'open', openedAt: '2026-11-18T09:05:00.000Z', closedAt: null },
  subject: { type: 'journey', id: journeyId, name: 'Welcome' },
  ...{ count: 0, comparedWith: 812 },
  text: 'Nobody has entered the journey Welcome for 24 hours. In the seven days before, 812 contacts did.',
  link: `/v2/journeys/${journeyId}`,
};

export const listAlerts = route({
  id: 'listAlerts',
  tag: 'Workspace',
  method: 'GET',
  path: '/alerts',
  versions: onlyV2,
  summary: 'List alerts',
  description: 'Newest first. Closed ones are kept for 90 days.',
  query: { state: choice(alertStates, 'Only those that are open, or closed.'), ...paging },
  data: Alert,
  paged: true,
  errors: [],
  example: { query: { state: 'open' }, data: [example] },
});

const AlertMail = Named(
  'AlertMail',
  {
    isOn: Type.Boolean(),
    address: Nullable(Type.String({ description: 'Where it goes: the address that the person signs in with.' })),
    obstacle: Nullable(
      Words(
        ['noAddress', 'noMailServer'],
        'Why it cannot be switched on: the account is a program’s, or the service has no mail server of its own.',
      ),
    ),
  },
  'Of the account that asks.',
);
const ownMail = '/me/alerts';
const off = { isOn: false, address: 'ada@example.com', obstacle: null };

export const getAlertMail = route({
  id: 'getAlertMail',
  tag: 'Workspace',
  method: 'GET',
  path: ownMail,
  versions: onlyV2,
  summary: 'Read whether you get alerts by mail',
  data: AlertMail,
  paged: false,
  errors: [],
  example: { data: off },
});

export const setAlertMail = route({
  id: 'setAlertMail',
  tag: 'Workspace',
  method: 'PUT',
  path: ownMail,
  versions: onlyV2,
  scope: 'READ',
  summary: 'Get alerts by mail, or no longer',
  description: 'Only of the account that asks; so the READ scope is enough. Off until switched on.',
  body: Type.Object({ isOn: Type.Boolean() }, { additionalProperties: false }),
  data: AlertMail,
  paged: false,
  errors: ['INVALID_STATE'],
  example: { body: { isOn: true }, data: { ...off, isOn: true } },
});

const AlertWebhook = Named(
  'AlertWebhook',
  {
    host: Type.String({
      description: 'The host of its address. The address itself is a secret and is not shown again.',
    }),
    ending: Type.String({ description: 'The last four characters of its address.' }),
    changedAt: Instant,
    lastDeliveredAt: Nullable(Instant, 'When the receiver last took a message; null: not yet.'),
    lastFailedAt: Nullable(Instant, 'When a message last failed to arrive; null: none has, or one arrived since.'),
    lastStatus: Nullable(
      Type.Integer({ description: 'The HTTP status that it failed with. Null: there was no answer.' }),
    ),
    lastError: Nullable(Type.String({ description: 'For people: what went wrong then.' })),
    isGivenUp: Type.Boolean({ description: 'That message is not tried again.' }),
  },
  'A Slack-compatible webhook.',
);
const webhook = '/workspace/alert-webhook';
const shown = {
  ...{ host: 'hooks.slack.com', ending: 'q7Xw', changedAt: '2026-11-18T08:00:00.000Z' },
  ...{ lastDeliveredAt: '2026-11-18T09:05:01.000Z' },
  ...{ lastFailedAt: null, lastStatus: null, lastError: null, isGivenUp: false },
};

export const getAlertWebhook = route({
  id: 'getAlertWebhook',
  tag: 'Workspace',
  method: 'GET',
  path: webhook,
  versions: onlyV2,
  adminOnly: true,
  summary: 'Read the webhook that alerts go to',
  description: '404 if the workspace has none.',
  data: AlertWebhook,
  paged: false,
  errors: ['NOT_FOUND'],
  example: { data: shown },
});

export const setAlertWebhook = route({
  id: 'setAlertWebhook',
  tag: 'Workspace',
  method: 'PUT',
  path: webhook,
  versions: onlyV2,
  adminOnly: true,
  summary: 'Send alerts to a webhook',
  description:
    'An incoming webhook of Slack, or one that takes the same: `{"text": "…"}`. The address is a secret: it is encrypted at rest and never shown again. It replaces the one before; messages that wait go to the new one.',
  body: Type.Object(
    {
      url: Type.String({
        minLength: 1,
        maxLength: 2000,
        trim: true,
        description:
          'https, without a user or password in it. Private and loopback addresses, and http, are refused unless the operator allows private addresses.',
      }),
    },
    { additionalProperties: false },
  ),
  data: AlertWebhook,
  paged: false,
  errors: [],
  example: {
    body: { url: 'https://hooks.slack.com/services/T00000000/B00000000/Zm9vYmFyq7Xw' },
    data: { ...shown, lastDeliveredAt: null },
  },
});

export const removeAlertWebhook = route({
  id: 'removeAlertWebhook',
  tag: 'Workspace',
  method: 'DELETE',
  path: webhook,
  versions: onlyV2,
  adminOnly: true,
  summary: 'Send alerts to no webhook any more',
  description: 'Messages that wait are dropped.',
  data: Success,
  paged: false,
  errors: ['NOT_FOUND'],
  example: { data: { success: true } },
});

export const testAlertWebhook = route({
  id: 'testAlertWebhook',
  tag: 'Workspace',
  method: 'POST',
  path: `${webhook}/test`,
  versions: onlyV2,
  adminOnly: true,
  summary: 'Send a test message to the webhook for alerts',
  description: 'At once, and shows the answer. It is not retried.',
  data: WebhookTest,
  paged: false,
  errors: ['NOT_FOUND', 'INVALID_STATE'],
  example: { data: { ok: false, status: 404, durationMs: 128, answer: 'no_service', error: 'It answered 404.' } },
});

export const alertRoutes = [
  listAlerts,
  getAlertMail,
  setAlertMail,
  getAlertWebhook,
  setAlertWebhook,
  removeAlertWebhook,
  testAlertWebhook,
] as const;
