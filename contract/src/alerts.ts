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
    '`bounces`: too much email of the last 24 hours bounced permanently. `complaints`: too much of it was reported as spam. `journeyStopped`: no one has entered a journey for 24 hours, though people entered it daily before. `listHalved`: a list has less than half of the members that it had at the start of this or the previous day (UTC).',
  ),
  state: Words(alertStates, 'An alert closes on its own once the problem is over.'),
  openedAt: Instant,
  closedAt: Nullable(Instant),
  subject: Named('AlertSubject', {
    type: Words(alertSubjects),
    id: Nullable(AssetId('Id of the journey or the list. Null for `mail`, which means all email of the workspace.')),
    name: Nullable(Type.String({ description: 'Its current name. Null for `mail`, and if it was deleted.' })),
  }),
  count: Count(
    'When the alert opened: messages that bounced or were reported as spam, contacts that entered within 24 hours (0), or members of the list.',
  ),
  comparedWith: Count(
    'What `count` is compared with: messages sent in those 24 hours, contacts that entered in the seven days before, or members that the list had before.',
  ),
  text: Type.String({ description: 'The alert in a sentence.' }),
  link: Nullable(
    Type.String({ description: 'The path of this API with the details. Null if the subject was deleted.' }),
  ),
});

const alertId = '65f1c0ffee0123456789abcd';
const journeyId = '65f1c0ffee0123456789abce';
const example = {
  ...{ alertId, kind: 'journeyStopped', state: 'open', openedAt: '2026-11-18T09:05:00.000Z', closedAt: null },
  subject: { type: 'journey', id: journeyId, name: 'Welcome' },
  ...{ count: 0, comparedWith: 812 },
  text: 'No one entered the journey Welcome for 24 hours. In the seven days before, 812 contacts did.',
  link: `/v2/journeys/${journeyId}`,
};

export const listAlerts = route({
  id: 'listAlerts',
  tag: 'Workspace',
  method: 'GET',
  path: '/alerts',
  versions: onlyV2,
  summary: 'List alerts',
  description: 'Newest first. Closed alerts are kept for 90 days.',
  query: { state: choice(alertStates, 'Only alerts in this state.'), ...paging },
  data: Alert,
  paged: true,
  errors: [],
  example: { query: { state: 'open' }, data: [example] },
});

const AlertMail = Named(
  'AlertMail',
  {
    isOn: Type.Boolean(),
    address: Nullable(
      Type.String({ description: 'The address that alerts are sent to: the one the person signs in with.' }),
    ),
    obstacle: Nullable(
      Words(
        ['noAddress', 'noMailServer'],
        'Why alerts by email can’t be turned on. `noAddress`: the account belongs to a program. `noMailServer`: the service has no mail server of its own.',
      ),
    ),
  },
  'Whether your account gets alerts by email.',
);
const ownMail = '/me/alerts';
const off = { isOn: false, address: 'ada@example.com', obstacle: null };

export const getAlertMail = route({
  id: 'getAlertMail',
  tag: 'Workspace',
  method: 'GET',
  path: ownMail,
  versions: onlyV2,
  summary: 'Read whether you get alerts by email',
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
  summary: 'Turn alerts by email on or off',
  description: 'This setting applies to your own account only, so the READ scope is enough. It is off at first.',
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
      description: 'The host of the webhook’s URL. The URL itself is a secret and is never shown again.',
    }),
    ending: Type.String({ description: 'The last four characters of the URL.' }),
    changedAt: Instant,
    lastDeliveredAt: Nullable(Instant, 'When a message was last delivered. Null: none yet.'),
    lastFailedAt: Nullable(Instant, 'When a delivery last failed. Null: none has failed, or one has succeeded since.'),
    lastStatus: Nullable(
      Type.Integer({ description: 'The HTTP status of the failed delivery. Null: there was no response.' }),
    ),
    lastError: Nullable(Type.String({ description: 'What went wrong, in a sentence.' })),
    isGivenUp: Type.Boolean({ description: 'Whether Rapport has stopped retrying that message.' }),
  },
  'A Slack-compatible webhook that alerts are posted to.',
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
  summary: 'Read the webhook for alerts',
  description: 'Returns 404 if the workspace has none.',
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
  summary: 'Set the webhook for alerts',
  description:
    'Posts alerts to a Slack incoming webhook, or to any URL that accepts the same body: `{"text": "…"}`. The URL is a secret: it is encrypted at rest and never shown again. It replaces the previous webhook, and waiting messages go to the new one.',
  body: Type.Object(
    {
      url: Type.String({
        minLength: 1,
        maxLength: 2000,
        trim: true,
        description:
          'An https URL without a user or password. http, private and loopback addresses are refused unless the operator allows private addresses.',
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
  summary: 'Remove the webhook for alerts',
  description: 'Waiting messages are dropped.',
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
  description: 'Sends it immediately and returns the response. It is not retried.',
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
