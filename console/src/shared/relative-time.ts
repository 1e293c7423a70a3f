import { dayFirst } from './day-first.ts';

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];
const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const day = dayFirst({ day: 'numeric', month: 'short', year: 'numeric' });
const minute = dayFirst({ dateStyle: 'medium', timeStyle: 'short' });
const exact = dayFirst({ dateStyle: 'medium', timeStyle: 'medium' });

/**
 * `5 minutes ago`, `in 2 days`; beyond a week the date. A past moment is never shown as future, even if the service's clock is ahead of this one.
 * `isAhead` marks a future moment.
 */
export function relativeTime(at: string, now: number, isAhead = false): string {
  const distance = Date.parse(at) - now;
  if (Math.abs(distance) > 7 * 86_400_000) return day.format(at);
  for (const [unit, length] of units)
    if (Math.abs(distance) >= length) return words.format(Math.trunc(distance / length), unit);
  return isAhead && distance > 0 ? 'in a moment' : 'just now';
}

/** `17 Nov 2026, 09:30`. */
export function clockMoment(at: string): string {
  return minute.format(at);
}

export function exactTime(at: string): string {
  return exact.format(at);
}
