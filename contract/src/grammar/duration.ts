// Durations as filters and journeys write them: ISO 8601, in units that have one length.

export interface Duration {
  readonly ms: number;
  /** As it was written. */
  readonly text: string;
}

export const durationUnits = ['weeks', 'days', 'hours', 'minutes', 'seconds'] as const;
export type DurationUnit = (typeof durationUnits)[number];

const second = 1000;
const day = 86_400 * second;
const lengths: Readonly<Record<DurationUnit, number>> = {
  weeks: 7 * day,
  days: day,
  hours: 3600 * second,
  minutes: 60 * second,
  seconds: second,
};
const shortest = second;
const longest = 3650 * day;

const shape = /^P(?:(\d+)W|(?=.)(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?)$/;
const monthsOrYears = /^P(?:\d+[YMWD])*\d+[YM]/;
// Longer texts are not worth a pattern: what is within bounds has a few digits for each unit.
const mostCharacters = 64;

export interface DurationPart {
  readonly count: number;
  readonly unit: DurationUnit;
}

/** What a duration is written in, largest unit first, without those that are zero. Undefined for a text that is no duration. */
export function durationParts(text: string): readonly DurationPart[] | undefined {
  const found = text.length > mostCharacters ? null : shape.exec(text);
  if (found === null) return undefined;
  return durationUnits.map((unit, i) => ({ unit, count: Number(found[i + 1] ?? 0) })).filter(({ count }) => count > 0);
}

/** Any length, also those that no filter takes. Undefined for a text that is no duration. */
export function durationMs(text: string): number | undefined {
  return durationParts(text)?.reduce((sum, { count, unit }) => sum + count * lengths[unit], 0);
}

/** The duration, or what is wrong with the text. */
export function parseDuration(text: string): Duration | string {
  const ms = durationMs(text);
  if (ms === undefined) return whatIsWrong(text);
  if (ms < shortest || ms > longest) return 'a duration from one second (PT1S) to 3,650 days (P3650D) is wanted';
  return { ms, text };
}

function whatIsWrong(text: string): string {
  if (text.length <= mostCharacters && monthsOrYears.test(text)) {
    return 'months and years have no one length; write days or weeks, such as P30D or P2W';
  }
  return 'a duration is wanted, in whole days, hours, minutes and seconds or in weeks alone, such as P30D, PT12H or P2W';
}

export function isDuration(value: unknown): value is string {
  return typeof value === 'string' && typeof parseDuration(value) === 'object';
}

/** One number and one unit, written as a duration. */
export function writeDuration({ count, unit }: DurationPart): string {
  const letter = unit.charAt(0).toUpperCase();
  return unit === 'weeks' || unit === 'days' ? `P${count}${letter}` : `PT${count}${letter}`;
}

/**
 * The duration as one number and one unit: the unit that it was written in, or else the largest of `units` that says it exactly. Undefined
 * where none does, and for a text that is no duration.
 */
export function durationInOneUnit(
  text: unknown,
  units: readonly DurationUnit[] = durationUnits,
): DurationPart | undefined {
  const parts = typeof text === 'string' ? durationParts(text) : undefined;
  const [only, more] = parts ?? [];
  if (only === undefined) return undefined;
  if (!more && units.includes(only.unit)) return only;
  const ms = durationMs(text as string) ?? 0;
  const unit = durationUnits.find((each) => each !== 'weeks' && units.includes(each) && ms % lengths[each] === 0);
  return unit && { count: ms / lengths[unit], unit };
}
