const shape = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)?)?$/;

const earliest = Date.parse('0001-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Reads RFC 3339 with any offset; without an offset it is UTC, and a date alone means its midnight.
 * Returns `YYYY-MM-DDTHH:MM:SS.mmmZ`, or undefined for anything else.
 */
export function parseInstant(text: string): string | undefined {
  // Most programs write times as we do, and those need no parsing.
  if (text.length === 24 && isCanonical(text)) return text;
  const m = shape.exec(text);
  if (!m) return undefined;
  const [year, month, day, hour, minute, second] = m.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const offset = offsetMinutes(m[8]);
  if (offset === undefined) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  date.setUTCHours(hour, minute - offset, second, Number((m[7] ?? '0').slice(0, 3).padEnd(3, '0')));
  const time = date.getTime();
  return time < earliest || time > latest ? undefined : date.toISOString();
}

/** `YYYY-MM-DDTHH:MM:SS.mmmZ` on a day that every month has. The few others take the slow path. */
function isCanonical(text: string): boolean {
  for (let i = 0; i < 24; i++) {
    const code = text.charCodeAt(i);
    const mark = marks.charCodeAt(i);
    if (mark === digit ? code < digit || code > digit + 9 : code !== mark) return false;
  }
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  if (month < 1 || month > 12 || day < 1 || day > 28 || text.startsWith('0000')) return false;
  return twoDigits(text, 11) < 24 && twoDigits(text, 14) < 60 && twoDigits(text, 17) < 60;
}
const marks = '0000-00-00T00:00:00.000Z';
const digit = 48;

function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - digit) * 10 + text.charCodeAt(at + 1) - digit;
}

/**
 * When something happened by our clock: `at` is by the clock of a sender that said `sentAt` when it `arrivedAt` here. Returns `at` itself if that
 * would be out of range.
 */
export function correctedInstant(at: string, sentAt: string, arrivedAt: string): string {
  const time = Date.parse(arrivedAt) - (Date.parse(sentAt) - Date.parse(at));
  return time < earliest || time > latest ? at : new Date(time).toISOString();
}

let lastMs = Number.NaN;
let lastText = '';

/** Milliseconds since 1970 in the API's format. Bulk writes mostly have the same moment, so the last result is cached. */
export function instantOf(ms: number): string {
  if (ms !== lastMs) {
    lastText = new Date(ms).toISOString();
    lastMs = ms;
  }
  return lastText;
}

/** The same, clamped to the first and last millisecond that can be written. */
export function clippedInstant(ms: number): string {
  return instantOf(Math.min(latest, Math.max(earliest, ms)));
}

/** The next millisecond; `infinity` after the last one that can be written. */
export function justAfter(instant: string): string {
  const time = Date.parse(instant) + 1;
  return time > latest ? 'infinity' : new Date(time).toISOString();
}

function offsetMinutes(text: string | undefined): number | undefined {
  if (text === undefined || text === 'Z' || text === 'z') return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(4, 6));
  if (hours > 23 || minutes > 59) return undefined;
  return (text[0] === '-' ? -1 : 1) * (hours * 60 + minutes);
}

/**
 * Converts PostgreSQL's text (`2026-11-15 09:30:00.5+00`) to the API's format.
 * A session in UTC needs no Date in between; any other time zone takes the slow path.
 */
export function instantFromPostgres(text: string): string {
  if (!text.endsWith('+00') || text.length > 29 || text[4] !== '-') return new Date(text).toISOString();
  const fraction = text.slice(20, -3).slice(0, 3).padEnd(3, '0');
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`;
}
