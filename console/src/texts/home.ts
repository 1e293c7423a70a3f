// The first page: whether all is set up and well, and what came of it.
import type { AttentionKind } from '@rapport/contract';
import { percent } from '../shared/numbers.ts';

export const t = {
  title: 'Home',
  lead: (workspace: string) => `${workspace}: the last 30 days, and what happens now.`,
  setup: 'Set up your workspace',
  setupDone: (done: number, all: number) => `${done} of ${all} done`,
  isDone: 'Done',
  isOpen: 'Not done yet',
  steps: {
    domain: {
      title: 'Add the domain you send from',
      text: 'Publish its DNS records, so that mail of yours arrives.',
      action: 'Add a domain',
    },
    import: {
      title: 'Bring your people',
      text: 'Drop a CSV file: columns are recognized, and you see what became of each row.',
      action: 'Import contacts',
    },
    event: {
      title: 'Send a first event',
      text: 'From your product, through the API or a Segment client.',
      action: 'Watch for events',
    },
    email: {
      title: 'Write an email',
      text: 'With what you know of each person, and a preview as any of them.',
      action: 'Go to emails',
    },
    journey: {
      title: 'Make a journey',
      text: 'What people get, when and why; watch it run before it does.',
      action: 'Go to journeys',
    },
  },
  attention: 'Needs attention',
  since: 'since',
  allWell: 'All is well',
  allWellText: 'Mail leaves, writes are applied, and webhooks answer.',
  look: {
    mailPaused: 'Look into it',
    domainProblems: 'Go to domains',
    writesWaiting: 'Go to imports',
    bounces: 'See the messages',
    webhooksFailing: 'Go to webhooks',
    journeyFaults: 'Go to journeys',
    versionsRejected: 'See the activity',
    ingestRefused: 'Go to the ingest log',
  } satisfies Record<AttentionKind, string>,
  resume: 'Resume sending',
  resumeTitle: 'Resume sending?',
  resumeText:
    'Find the reason first: an old list, a form that robots fill in, a domain whose records broke. What waits leaves at once, and figures count anew.',
  resumed: 'Mail leaves again.',
  sent: 'Sent',
  opened: 'Opened',
  clicked: 'Clicked',
  bounced: 'Bounced',
  rateOf: (rate: number, of: string) => `${percent(rate)} of ${of}`,
  ofSent: 'sent',
  ofDelivered: 'delivered',
  definitions: {
    sent: 'Messages that a mail server took, or refused for good, by the time of that. Tests are never counted.',
    opened:
      'Messages by the time of their first open by a person. Opens by programs, such as the proxies of mail readers, are in no rate.',
    clicked:
      'Messages by the time of their first click by a person. Clicks by programs, such as scanners, are in no rate.',
    bounced: 'Messages that came back, for good or for now. The share is of those that were sent.',
  },
  overTime: 'Sends and engagement over time',
  reports: 'All reports',
  noMail: 'Nothing was sent in the last 30 days',
  noMailText: 'As soon as a journey sends its first message, it shows here.',
  events: 'Events now',
  allEvents: 'All events',
  noEvents: 'No event has arrived yet. They show here within two seconds.',
};
