// The period of a report, as in its address. Pure.
import { dayFirst } from '../day-first.ts';
import { monthsFrom, type StatsWindow, shiftedByMonths, startOfMonth, wholeMonths } from './months.ts';

export type { StatsWindow } from './months.ts';

/** A number of days until now. */
const spans = ['7', '30', '90', '365'] as const;
/** Of the calendar: how many months, and whether they are the last ones. */
const calendar = {
  'this-month': { months: 1, isLast: false },
  'last-month': { months: 1, isLast: true },
  'this-quarter': { months: 3, isLast: false },
  'last-quarter': { months: 3, isLast: true },
} as const;
type Calendar = keyof typeof calendar;
const isCalendar = (kind: string): kind is Calendar => Object.hasOwn(calendar, kind);

/** In the order in which they are offered. */
export const kinds = [...spans, ...(Object.keys(calendar) as Calendar[])];

export interface Period {
  /** Days until now, a month or quarter, all time, or chosen days. */
  kind: (typeof kinds)[number] | 'all' | 'custom';
  /** Days as the user chose them: `2026-11-01`. */
  from?: string | undefined;
  to?: string | undefined;
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
  const known = [...kinds, 'all' as const].find((kind) => kind === period);
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
  if (isCalendar(kind)) {
    const { months, isLast } = calendar[kind];
    const first = startOfMonth(now, months);
    if (!isLast) return { startTime: new Date(first).toISOString(), endTime: end };
    return {
      startTime: new Date(monthsFrom(first, -months)).toISOString(),
      endTime: new Date(first - 1).toISOString(),
    };
  }
  const midnight = Math.floor(now / dayMs) * dayMs;
  return { startTime: new Date(midnight - (Number(kind) - 1) * dayMs).toISOString(), endTime: end };
}

/**
 * What a period of the calendar is compared with: as many months before it, up to the same day where it is not over. Others are compared with
 * the days before them, and have none.
 */
export function calendarBefore({ kind, from, to }: Period, window: StatsWindow): StatsWindow | undefined {
  if (isCalendar(kind)) return shiftedByMonths(window, calendar[kind].months, calendar[kind].isLast);
  const months = kind === 'custom' && from && to ? wholeMonths(from, to) : 0;
  if (months === 0) return undefined;
  return shiftedByMonths(window, months, window.endTime === `${to}T23:59:59.999Z`);
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

const dayNames = dayFirst({ day: 'numeric', month: 'short', timeZone: 'UTC' });
const hourNames = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

/** The label of an interval below a chart. */
export function partName(time: string, interval: 'hour' | 'day'): string {
  if (!time) return '';
  return interval === 'day' ? dayNames.format(time) : hourNames.format(new Date(time));
}

const datedNames = dayFirst({ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

interface Days {
  startTime: string;
  endTime: string;
}

/** The first and last day of each period, all with years unless all of them are in the year of `now`. */
export function daysOf(now: number, ...periods: Days[]): string[] {
  const yearOf = (time: string | number) => new Date(time).getUTCFullYear();
  const isThisYear = periods.every(({ startTime, endTime }) =>
    [startTime, endTime].every((time) => yearOf(time) === yearOf(now)),
  );
  const names = isThisYear ? dayNames : datedNames;
  // Browsers put different spaces around the dash.
  return periods.map(({ startTime, endTime }) => names.formatRange(startTime, endTime).replace(/\s*–\s*/g, ' – '));
}

/** The query of a file or a link, without unset values. */
export function queryText(query: Record<string, string | undefined>): string {
  const set = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return set.length === 0 ? '' : `?${new URLSearchParams(set)}`;
}
