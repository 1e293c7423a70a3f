// The period of a report, as in its address. Pure.
export const spans = ['7', '30', '90', '365'] as const;
type Span = (typeof spans)[number];

export interface Period {
  /** A number of days until now, all time, or chosen days. */
  kind: Span | 'all' | 'custom';
  /** Days as the user chose them: `2026-11-01`. */
  from?: string | undefined;
  to?: string | undefined;
}

export interface StatsWindow {
  startTime?: string | undefined;
  endTime?: string | undefined;
}

const dayMs = 86_400_000;
// There is no year 0.
const aDay = /^(?!0000)\d{4}-\d{2}-\d{2}$/;

const isDay = (text: string | undefined): text is string =>
  text !== undefined && aDay.test(text) && !Number.isNaN(Date.parse(text));

export function periodOf(params: { period?: string; from?: string; to?: string }, usual: Period['kind']): Period {
  const { period, from, to } = params;
  if (period === 'custom')
    return { kind: 'custom', from: isDay(from) ? from : undefined, to: isDay(to) ? to : undefined };
  const known = [...spans, 'all' as const].find((kind) => kind === period);
  return { kind: known ?? usual };
}

/** Whole UTC days, except the last one, which ends now, so that the period before has the same length. */
export function windowOf({ kind, from, to }: Period, now: number): StatsWindow {
  if (kind === 'all') return {};
  const end = new Date(now).toISOString();
  if (kind === 'custom') {
    const startTime = from && `${from}T00:00:00.000Z`;
    const last = to && `${to}T23:59:59.999Z`;
    // The future has no numbers and would be drawn as zeros.
    return { startTime: startTime || undefined, endTime: last && last < end ? last : end };
  }
  const midnight = Math.floor(now / dayMs) * dayMs;
  return { startTime: new Date(midnight - (Number(kind) - 1) * dayMs).toISOString(), endTime: end };
}

/** Up to two days are shown by hour. */
export function intervalOf({ startTime, endTime }: StatsWindow): 'hour' | 'day' {
  if (!startTime || !endTime) return 'day';
  return Date.parse(endTime) - Date.parse(startTime) <= 2 * dayMs ? 'hour' : 'day';
}

export const isBackwards = ({ kind, from, to }: Period): boolean =>
  kind === 'custom' && from !== undefined && to !== undefined && to < from;

export type PeriodFault = 'noDays' | 'backwards' | 'ahead';

/** Why there are no numbers for a period: an end alone says as little as no day at all. */
export function faultOf(period: Period, { startTime, endTime }: StatsWindow): PeriodFault | undefined {
  if (period.kind === 'custom' && period.from === undefined) return 'noDays';
  if (isBackwards(period)) return 'backwards';
  return startTime && endTime && endTime < startTime ? 'ahead' : undefined;
}

const dayNames = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const hourNames = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

/** The label of an interval below a chart. */
export function partName(time: string, interval: 'hour' | 'day'): string {
  if (!time) return '';
  return interval === 'day' ? dayNames.format(new Date(time)) : hourNames.format(new Date(time));
}

const datedNames = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** The first and last day of a period, with years unless both are in the year of `now`. */
export function daysOf(from: string, to: string, now: string): [from: string, to: string] {
  const yearOf = (time: string) => new Date(time).getUTCFullYear();
  const isThisYear = yearOf(from) === yearOf(now) && yearOf(to) === yearOf(now);
  const names = isThisYear ? dayNames : datedNames;
  return [names.format(new Date(from)), names.format(new Date(to))];
}

/** The query of a file or a link, without unset values. */
export function queryText(query: Record<string, string | undefined>): string {
  const set = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return set.length === 0 ? '' : `?${new URLSearchParams(set)}`;
}
