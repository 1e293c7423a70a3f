// Durations of the filter language as people say them: a number and a unit.
export const units = ['minutes', 'hours', 'days', 'weeks'] as const;
export type Unit = (typeof units)[number];
export interface Span {
  count: number;
  unit: Unit;
}

const seconds: Record<Unit, number> = { minutes: 60, hours: 3600, days: 86_400, weeks: 604_800 };
const shape = /^P(?:(\d+)W|(?=.)(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?)$/;
const longestSeconds = 3650 * 86_400;

/** In the unit it was written in, or the largest that says it exactly; undefined for text that is none, and for odd seconds. */
export function spanOf(text: unknown): Span | undefined {
  const parts = typeof text === 'string' ? shape.exec(text) : null;
  if (!parts) return undefined;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, rest = 0] = parts.slice(1).map((part) => Number(part ?? 0));
  if (weeks > 0) return { count: weeks, unit: 'weeks' };
  const total = days * 86_400 + hours * 3600 + minutes * 60 + rest;
  const unit = (['days', 'hours', 'minutes'] as const).find((each) => total > 0 && total % seconds[each] === 0);
  return unit && { count: total / seconds[unit], unit };
}

export function durationOf({ count, unit }: Span): string {
  switch (unit) {
    case 'weeks':
      return `P${count}W`;
    case 'days':
      return `P${count}D`;
    case 'hours':
      return `PT${count}H`;
    case 'minutes':
      return `PT${count}M`;
  }
}

/** Within what the language takes, from a second to ten years. */
export function isDuration(text: unknown): boolean {
  const parts = typeof text === 'string' ? shape.exec(text) : null;
  if (!parts) return false;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, rest = 0] = parts.slice(1).map((part) => Number(part ?? 0));
  const total = weeks * seconds.weeks + days * 86_400 + hours * 3600 + minutes * 60 + rest;
  return total >= 1 && total <= longestSeconds;
}
