// Dates as files write them. A file says them in one way, and which one is decided by its column: 03/04/2026 alone could be in April or in March.

export const dateFormats = ['ymd', 'dmy', 'mdy', 'named', 'seconds', 'millis'] as const;
export type DateFormat = (typeof dateFormats)[number];

const time = String.raw`(?:[T ,]\s*(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?\s*(am|pm)?\s*(z|utc|gmt|[+-]\d\d:?\d\d)?)?`;
const patterns = {
  ymd: new RegExp(String.raw`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})${time}$`, 'i'),
  /** Three numbers of which the year is last. */
  yearLast: new RegExp(String.raw`^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d\d)${time}$`, 'i'),
  dayName: new RegExp(String.raw`^(\d{1,2})(?:st|nd|rd|th|\.)?[- ]([a-z]{3,9})\.?[- ,]+(\d{4})${time}$`, 'i'),
  nameDay: new RegExp(String.raw`^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})${time}$`, 'i'),
};
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const longMonths = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
].concat(['november', 'december']);

/** As the service takes it: `2026-04-03`, or `2026-04-03T09:30:00Z` where there is a time. Undefined if the cell is no date in this format. */
export function readDate(cell: string, format: DateFormat): string | undefined {
  const text = cell.trim();
  switch (format) {
    case 'ymd':
      return written(patterns.ymd.exec(text), [1, 2, 3]);
    case 'dmy':
      return written(patterns.yearLast.exec(text), [3, 2, 1]);
    case 'mdy':
      return written(patterns.yearLast.exec(text), [3, 1, 2]);
    case 'named':
      return written(patterns.dayName.exec(text), [3, 2, 1]) ?? written(patterns.nameDay.exec(text), [3, 1, 2]);
    case 'seconds':
      return /^\d{9,10}$/.test(text) ? instant(Number(text) * 1000) : undefined;
    case 'millis':
      return /^\d{12,13}$/.test(text) ? instant(Number(text)) : undefined;
    default:
      return format satisfies never;
  }
}

function instant(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

function written(found: RegExpExecArray | null, [y, m, d]: readonly [number, number, number]): string | undefined {
  if (!found) return undefined;
  const [year, month, day] = [yearOf(found[y] ?? ''), monthOf(found[m] ?? ''), Number(found[d])];
  const date = new Date(Date.UTC(year, month - 1, day));
  // There is no 31 February, though JavaScript would make it a day in March.
  const isThatDay = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!isThatDay) return undefined;
  const on = date.toISOString().slice(0, 10);
  const [hours, minutes, seconds = '00', half, zone = 'Z'] = found.slice(4);
  if (hours === undefined) return on;
  const hour = hourOf(Number(hours), half?.toLowerCase());
  if (hour === undefined || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  return `${on}T${String(hour).padStart(2, '0')}:${minutes}:${seconds}${zoneOf(zone)}`;
}

function yearOf(text: string): number {
  const year = Number(text);
  if (text.length === 4) return year;
  return year < 70 ? 2000 + year : 1900 + year;
}

/** 0 if it is the name of no month. */
function monthOf(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  const word = text.toLowerCase();
  const at = longMonths.indexOf(word);
  return at >= 0 ? at + 1 : word === 'sept' ? 9 : months.indexOf(word) + 1;
}

function hourOf(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour < 24 ? hour : undefined;
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half === 'pm' ? 12 : 0);
}

/** Without a zone it is UTC. */
function zoneOf(zone: string): string {
  if (!/^[+-]/.test(zone)) return 'Z';
  return zone.includes(':') ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`;
}

interface Detected {
  format: DateFormat;
  /** False if the days and months could be the other way round. */
  isSure: boolean;
}

// A column with a few typing errors is still one of dates; one of names with a date in it is not.
const leastShare = 0.8;

/** The format of a column, by its first cells. `mayBeNumbers`: its name or type says that numbers in it are times. */
export function detectDates(
  cells: readonly string[],
  { mayBeNumbers = false, isMonthFirst = false } = {},
): Detected | undefined {
  if (cells.length === 0) return undefined;
  const count = (format: DateFormat) => cells.filter((cell) => readDate(cell, format) !== undefined).length;
  const isEnough = (read: number) => read / cells.length >= leastShare;
  const plain = (['ymd', 'named'] as const).find((format) => isEnough(count(format)));
  if (plain) return { format: plain, isSure: true };
  const [dayFirst, monthFirst] = [count('dmy'), count('mdy')];
  if (isEnough(Math.max(dayFirst, monthFirst))) {
    const isSure = dayFirst !== monthFirst;
    return { format: (isSure ? monthFirst > dayFirst : isMonthFirst) ? 'mdy' : 'dmy', isSure };
  }
  const stamp = mayBeNumbers ? (['seconds', 'millis'] as const).find((format) => isEnough(count(format))) : undefined;
  return stamp && { format: stamp, isSure: true };
}

/** The other reading of a date whose day and month are both numbers. */
export const otherOrder: Partial<Record<DateFormat, DateFormat>> = { dmy: 'mdy', mdy: 'dmy' };
