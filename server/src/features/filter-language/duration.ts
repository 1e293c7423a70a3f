// Durations as filters write them: ISO 8601, in units that have one length.
import type { Duration } from './tree.js';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const longest = 3650 * day;

const shape = /^P(?:(\d+)W|(?=.)(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?)$/;
const lengths = [7 * day, day, hour, minute, second];
const mostCharacters = 64;

/** The duration, or what is wrong with the text. */
export function parseDuration(text: string): Duration | string {
  // Long texts are not worth a pattern: what is within bounds has at most a few digits a unit.
  const parts = text.length > mostCharacters ? null : shape.exec(text);
  if (parts === null) return whatIsWrong(text);
  const ms = lengths.reduce((sum, length, i) => sum + Number(parts[i + 1] ?? 0) * length, 0);
  if (ms < second || ms > longest) return 'a duration from one second (PT1S) to 3,650 days (P3650D) is wanted';
  return { ms, text };
}

const monthsOrYears = /^P(?:\d+[YMWD])*\d+[YM]/;

function whatIsWrong(text: string): string {
  if (text.length <= mostCharacters && monthsOrYears.test(text)) {
    return 'months and years have no one length; write days or weeks, such as P30D or P2W';
  }
  return 'a duration is wanted, in whole days, hours, minutes and seconds or in weeks alone, such as P30D, PT12H or P2W';
}

/** How a text that was read as a duration counts: each unit that is there, with its number. */
export function unitsOf(duration: Duration): readonly { readonly count: number; readonly unit: string }[] {
  const parts = shape.exec(duration.text) ?? [];
  return ['week', 'day', 'hour', 'minute', 'second'].flatMap((unit, i) => {
    const count = Number(parts[i + 1] ?? 0);
    return count === 0 ? [] : [{ count, unit }];
  });
}
