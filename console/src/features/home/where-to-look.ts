// Where in the console to see more about what needs attention. The API names its own reads; this maps them to pages.
import type { AttentionKind, DataValue, getWorkspaceHealth } from '@rapport/contract';

export type Health = DataValue<typeof getWorkspaceHealth>;
export type Attention = Health['attention'][number];
type SetupStep = keyof Health['setup'];

const pages: Readonly<Record<AttentionKind, string>> = {
  mailPaused: '/reports/domains',
  domainProblems: '/settings/domains',
  writesWaiting: '/imports',
  complaints: '/settings/alerts',
  bounces: '/messages?state=bounced',
  webhooksFailing: '/webhooks',
  journeyStopped: '/settings/alerts',
  journeyFaults: '/journeys',
  listHalved: '/settings/alerts',
  versionsRejected: '/emails',
  ingestRefused: '/ingest-log',
};

// Where one thing is named, it is shown there: rejections in the activity of their email, an alert at its journey or list.
const ofOne: Partial<Record<AttentionKind, readonly [read: RegExp, page: string][]>> = {
  versionsRejected: [[/^\/v2\/emails\/([0-9a-f]{24})\/activity/, '/emails/$1/activity']],
  journeyStopped: [[/^\/v2\/journeys\/([0-9a-f]{24})$/, '/journeys/$1']],
  listHalved: [
    [/^\/v2\/lists\/([0-9a-f]{24})\/growth$/, '/lists/static/$1/growth'],
    [/^\/v2\/dynamic-lists\/([0-9a-f]{24})\/growth$/, '/lists/dynamic/$1/growth'],
  ],
};

export function whereToLook({ kind, link }: Pick<Attention, 'kind' | 'link'>): string {
  const [read, page] = ofOne[kind]?.find(([one]) => one.test(link ?? '')) ?? [];
  return read && page ? (link ?? '').replace(read, page).replace(/\?.*$/, '') : pages[kind];
}

export const setupSteps: readonly { step: SetupStep; to: string; isForAdmins?: boolean }[] = [
  { step: 'domain', to: '/settings/domains', isForAdmins: true },
  { step: 'import', to: '/contacts/import' },
  { step: 'event', to: '/events' },
  { step: 'email', to: '/emails' },
  { step: 'journey', to: '/journeys' },
];
