// When: the next time of day, the next moment of a window, a date and its anniversaries, the next run. Pure; milliseconds since 1970.
// A time that clocks skip is the next valid moment, one that comes twice is the first.
import { readCron } from '../../../lib/cron.js';
import { parseInstant } from '../../../lib/instant.js';
import {
  type Day,
  dateOf,
  dayMs,
  dayOf,
  inYear,
  isZone,
  type Local,
  localAt,
  localOf,
  minuteOf,
  momentOf,
  momentsOf,
  weekdayOf,
} from '../../../lib/zoned-time.js';
import type { Entry, Schedule, SendWindow } from './definition.js';

type Properties = Readonly<Record<string, unknown>>;
type DateEntry = Extract<Entry, { kind: 'date' }>;

/** Two weeks, because clocks may skip the only opening of one, and a day for each end. */
const daysAhead = 16;

/** Where the contact is: its property `time_zone` where that names a zone, else the tenant's. */
export function zoneOf(properties: Properties, tenantZone: string): string {
  const own = Object.hasOwn(properties, 'time_zone') ? properties.time_zone : undefined;
  return typeof own === 'string' && isZone(own) ? own : tenantZone;
}

/** The next time that the wall says so many minutes after midnight on one of these weekdays, strictly after a moment. */
export function nextAt(minute: number, days: readonly number[], zone: string, after: number): number {
  const today = dayOf(localAt(after, zone));
  for (let day = today - 1; day <= today + daysAhead; day++) {
    if (!days.includes(weekdayOf(day))) continue;
    const at = momentOf(localOf(day, minute), zone);
    if (at > after) return at;
  }
  throw new Error('No weekday was named');
}

/** Now where that lies in the window, else when it next opens. `to` itself is outside. */
export function nextInWindow(window: SendWindow, zone: string, now: number): number {
  if (isInside(window, localAt(now, zone))) return now;
  const today = dayOf(localAt(now, zone));
  for (let day = today - 1; day <= today + daysAhead; day++) {
    if (!window.days.includes(weekdayOf(day))) continue;
    // A window that was skipped as a whole does not open: what comes after the gap may be outside.
    const opens = momentsOf(localOf(day, window.from), zone).at.find(
      (at) => at > now && isInside(window, localAt(at, zone)),
    );
    if (opens !== undefined) return opens;
  }
  // Only a window whose every opening is skipped by the clocks for two weeks gets here, and there is none.
  throw new Error('The window never opens');
}

/** One that passes midnight belongs to the weekday on which it opens. */
function isInside({ days, from, to }: SendWindow, local: Local): boolean {
  const minute = minuteOf(local);
  const weekday = weekdayOf(dayOf(local));
  if (from < to) return from <= minute && minute < to && days.includes(weekday);
  if (minute >= from) return days.includes(weekday);
  return minute < to && days.includes(weekdayOf(dayOf(local) - 1));
}

/** A time in a property of a contact, as the API reads times; undefined for anything else, a list too. */
export function timeIn(properties: Properties, key: string): number | undefined {
  const text = Object.hasOwn(properties, key) ? properties[key] : undefined;
  const instant = typeof text === 'string' ? parseInstant(text) : undefined;
  return instant === undefined ? undefined : Date.parse(instant);
}

const dateAlone = /^\d{4}-\d\d-\d\d$/;

/**
 * When a journey that begins on a date next does for this contact, strictly after a moment; null: never. Without `at` it is the moment
 * that the property says (of a date alone its midnight, UTC). With `at` it is the day: of a date alone that very date wherever the
 * contact is, else the day that it was there. Whole days of the offset are days of the calendar then. Anniversaries begin with the date.
 */
export function nextDate(entry: DateEntry, properties: Properties, zone: string, after: number): number | null {
  const time = timeIn(properties, entry.property);
  if (time === undefined) return null;
  const wall = entry.at === undefined ? 'UTC' : zone;
  const isDate = dateAlone.test(String(properties[entry.property]));
  const local = isDate ? time : localAt(time, wall);
  const timeOfDay = entry.at === undefined ? local - dayOf(local) * dayMs : localOf(0, entry.at);
  const momentOn = (day: Day) => {
    const days = Math.trunc(entry.offset / dayMs);
    return momentOf((day + days) * dayMs + timeOfDay, wall) + (entry.offset - days * dayMs);
  };
  const first = dayOf(local);
  if (!entry.yearly) return orNull(momentOn(first), after);
  const { year: birth } = dateOf(first);
  // An offset has at most ten years: whatever lies further back has passed.
  const { year } = dateOf(dayOf(after - entry.offset));
  for (let on = Math.max(birth, year - 1); on <= Math.max(birth, year + 2); on++) {
    const at = momentOn(inYear(first, on));
    if (at > after) return at;
  }
  return null;
}

/** When a schedule next runs, strictly after a moment; null: never again. */
export function nextRun(schedule: Schedule, after: number): number | null {
  if (schedule.kind === 'at') return orNull(schedule.at, after);
  const next = readCron(schedule.cron);
  // All that is said on the wall up to now has been, at the latest now. In an hour that comes twice, what it says was the first time.
  let local = next?.(localAt(after, schedule.timeZone));
  while (next !== undefined && local !== undefined) {
    const at = momentOf(local, schedule.timeZone);
    if (at > after) return at;
    local = next(local);
  }
  return null;
}

function orNull(at: number, after: number): number | null {
  return at > after ? at : null;
}
