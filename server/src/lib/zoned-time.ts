// Local times: the local time of a moment in a zone, and the moment of a local date and time. Zones are those that Intl knows.

/** A calendar date: days since 1970-01-01, independent of zones. */
export type Day = number;

/** A local date and time, as if it were UTC: milliseconds since 1970-01-01T00:00. */
export type Local = number;

export const dayMs = 86_400_000;
const minuteMs = 60_000;

type ToParts = (at: number) => Intl.DateTimeFormatPart[];

interface Zone {
  readonly toParts: ToParts;
  /** The offset of each quarter of an hour, by its number; null if it changes within. */
  readonly offsets: Map<number, number | null>;
}

/** By the name as written. Contacts bring their own names, so there could be any number. */
const known = new Map<string, Zone | null>();
const mostKnown = 2000;
/** The longest name in the time zone database has 32 characters. */
const longestName = 64;

// Intl takes 20 µs per moment, and thousands of contacts ask for the same one.
const quarterMs = 900_000;
const mostOffsets = 500;

/** Whether the zone exists: `Europe/Berlin`, `UTC`. Offsets such as `+01:00` do not count: they have no daylight saving time. */
export function isZone(name: string): boolean {
  return findZone(name) !== undefined;
}

function findZone(name: string): Zone | undefined {
  const found = known.get(name);
  if (found !== undefined) return found ?? undefined;
  if (name.length > longestName) return undefined;
  if (known.size >= mostKnown) known.clear();
  const toParts = makeParts(name);
  const made = toParts && { toParts, offsets: new Map() };
  known.set(name, made);
  return made ?? undefined;
}

function makeParts(timeZone: string): ToParts | null {
  // Newer versions of Node accept offsets as zones, older ones do not.
  if (!/^[A-Za-z]/.test(timeZone)) return null;
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    return (at) => format.formatToParts(at);
  } catch {
    return null;
  }
}

/** The local time at this moment. */
export function localAt(at: number, zone: string): Local {
  return at + offsetAt(at, zone);
}

/** What to add to a moment to get the local time. */
function offsetAt(at: number, name: string): number {
  if (name === 'UTC') return 0;
  const zone = findZone(name);
  if (zone === undefined) throw new Error(`No such time zone: ${name}`);
  const quarter = Math.floor(at / quarterMs);
  let offset = zone.offsets.get(quarter);
  if (offset === undefined) {
    if (zone.offsets.size >= mostOffsets) zone.offsets.clear();
    const start = readOffset(quarter * quarterMs, zone);
    offset = start === readOffset((quarter + 1) * quarterMs - 1, zone) ? start : null;
    zone.offsets.set(quarter, offset);
  }
  return offset ?? readOffset(at, zone);
}

function readOffset(at: number, { toParts }: Zone): number {
  const told: Record<string, string> = {};
  for (const { type, value } of toParts(at)) told[type] = value;
  const year = told.era === 'BC' ? 1 - Number(told.year) : Number(told.year);
  const wall = new Date(0);
  wall.setUTCFullYear(year, Number(told.month) - 1, Number(told.day));
  wall.setUTCHours(Number(told.hour), Number(told.minute), Number(told.second));
  // Intl gives whole seconds; milliseconds are the same in every zone.
  return wall.getTime() - Math.floor(at / 1000) * 1000;
}

/**
 * The moments with this local time, earlier first: one, or two if clocks are set back over it. If they are set forward
 * over it, so that it never occurs, the first moment after the gap, and `isSkipped`.
 */
export function momentsOf(local: Local, zone: string): { readonly at: readonly number[]; readonly isSkipped: boolean } {
  if (zone === 'UTC') return { at: [local], isSkipped: false };
  // No offset is as large as a day, and no zone changes its clocks twice within two days.
  const before = offsetAt(local - dayMs, zone);
  const after = offsetAt(local + dayMs, zone);
  const at = [...new Set([local - before, local - after])]
    .filter((moment) => localAt(moment, zone) === local)
    .sort((a, b) => a - b);
  if (at.length > 0) return { at, isSkipped: false };
  return { at: [changeBetween(local - dayMs, local + dayMs, zone)], isSkipped: true };
}

/** The moment of a local date and time: the first if it occurs twice, the next valid one if it is skipped. */
export function momentOf(local: Local, zone: string): number {
  return momentsOf(local, zone).at[0] as number;
}

/** The first moment of the new offset. */
function changeBetween(from: number, to: number, zone: string): number {
  const old = offsetAt(from, zone);
  let [low, high] = [from, to];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle, zone) === old) low = middle;
    else high = middle;
  }
  return high;
}

export function dayOf(local: Local): Day {
  return Math.floor(local / dayMs);
}

/** Minutes since midnight. */
export function minuteOf(local: Local): number {
  return Math.floor((local - dayOf(local) * dayMs) / minuteMs);
}

/** 1 is Monday. 1970-01-01 was a Thursday. */
export function weekdayOf(day: Day): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

export function localOf(day: Day, minute: number): Local {
  return day * dayMs + minute * minuteMs;
}

/** The year, and the month and day, both from 1. */
export function dateOf(day: Day): { year: number; month: number; date: number } {
  const wall = new Date(day * dayMs);
  return { year: wall.getUTCFullYear(), month: wall.getUTCMonth() + 1, date: wall.getUTCDate() };
}

/** The same date in another year. 29 February becomes the 28th if the year has none. */
export function inYear(day: Day, year: number): Day {
  const { month, date } = dateOf(day);
  const wall = new Date(0);
  wall.setUTCFullYear(year, month - 1, date);
  // A date that does not exist runs over into March.
  if (wall.getUTCMonth() !== month - 1) wall.setUTCDate(0);
  return dayOf(wall.getTime());
}
