// The header row of a file in the words of the console.
import { countTitles, passageTitles, rateTitles } from '@rapport/contract';
import type { Sheet } from './sheets.js';

const titles: Readonly<Record<string, string>> = {
  ...countTitles,
  ...rateTitles,
  ...passageTitles,
  time: 'Time',
  name: 'Name',
  domain: 'Domain',
  url: 'Link',
  type: 'Type',
  status: 'Status',
  startedAt: 'Started',
  emailId: 'Email ID',
  broadcastId: 'Send ID',
  journeyId: 'Journey ID',
  stepId: 'Step ID',
  heldEntered: 'Held out',
  heldGoalRate: 'Conversion of the holdout',
  difference: 'Difference to the holdout',
  left: 'Left',
  share: 'Share of entered',
  p50: 'Time at step: median (seconds)',
  p90: 'Time at step: 90th percentile (seconds)',
};

export function titlesOf({ columns, titles: own }: Pick<Sheet, 'columns' | 'titles'>): string[] {
  return columns.map((name) => own?.[name] ?? titles[name] ?? name);
}
