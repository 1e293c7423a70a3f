// Where in the console to see more about what needs attention. The API names its own reads; this maps them to pages.
import type { AttentionKind, DataValue, getWorkspaceHealth } from '@rapport/contract';

export type Health = DataValue<typeof getWorkspaceHealth>;
export type Attention = Health['attention'][number];
type SetupStep = keyof Health['setup'];

const pages: Readonly<Record<AttentionKind, string>> = {
  mailPaused: '/reports/domains',
  domainProblems: '/settings/domains',
  writesWaiting: '/imports',
  bounces: '/messages?state=bounced',
  webhooksFailing: '/webhooks',
  journeyFaults: '/journeys',
  versionsRejected: '/emails',
  ingestRefused: '/ingest-log',
};

export function whereToLook({ kind, link }: Pick<Attention, 'kind' | 'link'>): string {
  // Rejections are shown where they happened: in the activity of their email.
  const email =
    kind === 'versionsRejected' ? /^\/v2\/emails\/([0-9a-f]{24})\/activity/.exec(link ?? '')?.[1] : undefined;
  return email ? `/emails/${email}/activity` : pages[kind];
}

export const setupSteps: readonly { step: SetupStep; to: string }[] = [
  { step: 'domain', to: '/settings/domains' },
  { step: 'import', to: '/contacts/import' },
  { step: 'event', to: '/events' },
  { step: 'email', to: '/emails' },
  { step: 'journey', to: '/journeys' },
];
