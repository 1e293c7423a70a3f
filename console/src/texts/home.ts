// The first page: setup, health and results.
import type { AttentionKind } from '@rapport/contract';
import { percent } from './numbers.ts';

export const t = {
  title: 'Home',
  lead: (workspace: string) => `${workspace}: the last 30 days and what’s happening now.`,
  setup: 'Set up your workspace',
  setupDone: (done: number, all: number) => `${done} of ${all} done`,
  isDone: 'Done',
  isOpen: 'Not done yet',
  steps: {
    domain: {
      title: 'Add your sending domain',
      text: 'Publish its DNS records so your email reaches the inbox.',
      action: 'Add a domain',
    },
    import: {
      title: 'Import your contacts',
      text: 'Drop a CSV file, map its columns and see the result of every row.',
      action: 'Import contacts',
    },
    event: {
      title: 'Send your first event',
      text: 'From your product, with the API or a Segment client.',
      action: 'Watch for events',
    },
    email: {
      title: 'Write an email',
      text: 'Personalize it, and preview it as any contact.',
      action: 'Go to emails',
    },
    journey: {
      title: 'Build a journey',
      text: 'Decide who gets what and when. Simulate it before it goes live.',
      action: 'Go to journeys',
    },
  },
  attention: 'Needs attention',
  since: 'since',
  allWell: 'All good',
  allWellText: 'Email, writes and webhooks have no problems.',
  look: {
    mailPaused: 'View messages',
    domainProblems: 'Go to domains',
    writesWaiting: 'Go to imports',
    bounces: 'View messages',
    webhooksFailing: 'Go to webhooks',
    journeyFaults: 'Go to journeys',
    versionsRejected: 'View activity',
    ingestRefused: 'Go to ingest log',
  } satisfies Record<AttentionKind, string>,
  resume: 'Resume sending',
  resumeTitle: 'Resume sending?',
  resumeText:
    'Find the cause first, such as an old list, bot sign-ups or broken DNS records. Waiting messages go out right away.',
  resumed: 'Sending resumed.',
  sent: 'Sent',
  opened: 'Opened',
  clicked: 'Clicked',
  bounced: 'Bounced',
  rateOf: (rate: number, of: string) => `${percent(rate)} of ${of}`,
  ofSent: 'sent',
  ofDelivered: 'delivered',
  definitions: {
    sent: 'Messages that a mail server accepted, or rejected permanently. Test sends never count.',
    opened: 'Messages opened by a person, by the time of the first open. Automated opens don’t count.',
    clicked: 'Messages clicked by a person, by the time of the first click. Automated clicks don’t count.',
    bounced: 'Messages that bounced, permanently or temporarily. Rate: bounced / sent.',
  },
  overTime: 'Sends and engagement over time',
  reports: 'All reports',
  noMail: 'Nothing sent in the last 30 days',
  noMailText: 'Results appear once a journey sends its first message.',
  events: 'Live events',
  allEvents: 'All events',
  noEvents: 'No events yet. New ones appear here within two seconds.',
};
