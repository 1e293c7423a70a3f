import { t } from '../../texts/emails.ts';

export const tabs = [
  { id: 'content', title: t.content },
  { id: 'versions', title: t.versions },
  { id: 'activity', title: t.activity },
  { id: 'statistics', title: t.statistics },
  { id: 'history', title: t.history },
] as const;
export type Tab = (typeof tabs)[number]['id'];
