import { t } from '../../texts/emails.ts';
import { t as recipients } from '../../texts/recipients.ts';

export const tabs = [
  { id: 'content', title: t.content },
  { id: 'recipients', title: recipients.title },
  { id: 'versions', title: t.versions },
  { id: 'activity', title: t.activity },
  { id: 'statistics', title: t.statistics },
  { id: 'history', title: t.history },
] as const;
export type Tab = (typeof tabs)[number]['id'];
