import { t } from '../../texts/messages.ts';

const day = 86_400_000;
const lengths: Readonly<Record<string, number>> = { day, week: 7 * day, month: 30 * day };

export const periods = [
  { value: 'day', label: t.lastDay },
  { value: 'week', label: t.lastWeek },
  { value: 'month', label: t.lastMonth },
];

/** The start of a period; undefined for any time. */
export function startOf(period: string | undefined, now: number): string | undefined {
  const length = period === undefined ? undefined : lengths[period];
  return length === undefined ? undefined : new Date(now - length).toISOString();
}
