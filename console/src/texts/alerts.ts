// Settings: alerts, by mail and to a webhook.
import type { AlertKind } from '@rapport/contract';

export const t = {
  about:
    'Find out when too much email bounces or is reported as spam, people stop entering a journey, or a list loses more than half of its members. Open alerts are also on the home page.',

  // By mail
  mail: 'Alerts by email',
  mailTo: (address: string) => `Sent to ${address}. This setting is yours alone.`,
  obstacles: {
    noAddress: 'Only for people who sign in with an email address.',
    noMailServer: 'This installation has no mail server of its own to send them. Its operator can set SMTP_URL.',
  },
  mailOn: 'You’ll get alerts by email.',
  mailOff: 'You won’t get any more alerts by email.',
  mailFailed: 'Couldn’t change alerts by email',

  // The webhook
  webhook: 'Slack webhook',
  webhookNone:
    'Post alerts to a channel in Slack, or in any app that accepts Slack’s incoming webhooks, such as Mattermost.',
  set: 'Set up webhook',
  change: 'Change',
  url: 'Webhook URL',
  urlNote: 'Anyone with this URL can post to the channel, so it is stored encrypted and never shown again.',
  urlNotKept: 'The webhook URL was not kept. Enter it again.',
  urlHint: 'https://hooks.slack.com/services/…',
  enterUrl: 'Enter a URL that starts with https://.',
  save: 'Save',
  saved: 'Saved. Alerts will be posted there from now on.',
  host: 'Host',
  ending: 'URL ends with',
  changed: 'Changed',
  delivered: 'Last delivered',
  notYet: 'Not yet',
  failed: 'Last failure',
  failure: (error: string, isGivenUp: boolean) => (isGivenUp ? error : `${error} Rapport keeps trying for 24 hours.`),
  test: 'Send a test message',
  remove: 'Remove',
  removeTitle: 'Remove the webhook?',
  removeText: 'Alerts will no longer be posted to it. Waiting messages are dropped.',
  removed: 'Webhook removed.',

  // The list
  list: 'Open and recent alerts',
  what: 'Alert',
  state: 'Status',
  states: { open: 'Open', closed: 'Closed' },
  opened: 'Opened',
  closed: 'Closed',
  look: {
    bounces: 'View messages',
    complaints: 'View report',
    journeyStopped: 'View journey',
    listHalved: 'View list',
  } satisfies Record<AlertKind, string>,
  none: 'No alerts yet',
  noneText: 'Alerts appear here while they are open, and for a while after they close.',
  noneAdvice: 'Turn on alerts by email above to hear about it right away.',
};
