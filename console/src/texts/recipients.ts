// Who got an email, opened it, clicked in it.
import type { RecipientGroup } from '@rapport/contract';

export const groups: Record<RecipientGroup, string> = {
  received: 'Received',
  opened: 'Opened',
  clicked: 'Clicked',
  notOpened: 'Did not open',
  bounced: 'Bounced',
  notSent: 'Not sent',
  waiting: 'Waiting',
};

export const t = {
  clicked: 'Clicked',
  contact: 'Contact',
  empty: 'No recipients yet',
  emptyText: 'Everyone this email is sent to appears here. Test sends don’t.',
  erased: 'Erased contact',
  everyone: 'Everyone',
  export: 'Export',
  fileName: (email: string, group: string) => `${email} - ${group}.csv`,
  group: 'Which recipients',
  more: 'Show more',
  noMatch: 'No recipients match',
  noMatchText: 'Try another name, or other recipients.',
  opened: 'Opened',
  people: (figure: string) => `${figure}: show the people`,
  search: 'Search recipients',
  searchHint: 'Search by name or email',
  sent: 'Sent',
  state: 'Status',
  title: 'Recipients',
  why: 'Why?',
  whyOf: (person: string) => `Why? ${person}`,
};
