// Weeks of a time zone: from Monday to Sunday.
import { type Day, dayMs, dayOf, localAt, localOf, momentOf, weekdayOf } from '../../lib/zoned-time.js';

/** 8:00 in the morning. */
const leavesAtMinute = 8 * 60;

/** The last Monday morning at which a summary was to leave, or is just now. */
function lastMonday(now: number, zone: string): Day {
  const today = dayOf(localAt(now, zone));
  const monday = today - weekdayOf(today) + 1;
  return momentOf(localOf(monday, leavesAtMinute), zone) <= now ? monday : monday - 7;
}

/** The first Monday morning after this moment. */
export function nextMonday(now: number, zone: string): number {
  return momentOf(localOf(lastMonday(now, zone) + 7, leavesAtMinute), zone);
}

interface Week {
  /** Both ends are within it. */
  startTime: string;
  endTime: string;
  /** Its Monday and its Sunday: `2026-11-09`. */
  first: string;
  last: string;
  /** `9 – 15 November 2026`. */
  days: string;
}

/** The complete week before the last Monday morning. */
export function weekBefore(now: number, zone: string): Week {
  const monday = lastMonday(now, zone);
  const begin = (day: Day) => momentOf(localOf(day, 0), zone);
  const date = (day: Day) => new Date(day * dayMs).toISOString().slice(0, 10);
  return {
    startTime: new Date(begin(monday - 7)).toISOString(),
    endTime: new Date(begin(monday) - 1).toISOString(),
    first: date(monday - 7),
    last: date(monday - 1),
    // Versions of Node put different spaces around the dash.
    days: dates.formatRange((monday - 7) * dayMs, (monday - 1) * dayMs).replace(/\s*–\s*/g, ' – '),
  };
}

const dates = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
