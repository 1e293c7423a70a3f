// Users choose days in their own time zone; the API takes points in time.

/** The first moment of a day such as `2026-11-15`; undefined if it is not a day. */
export function startOfDay(day: string | undefined): string | undefined {
  return momentOf(day, 'T00:00:00.000');
}

/** Its last millisecond. */
export function endOfDay(day: string | undefined): string | undefined {
  return momentOf(day, 'T23:59:59.999');
}

function momentOf(day: string | undefined, time: string): string | undefined {
  if (day === undefined || !/^\d{4}-\d\d-\d\d$/.test(day)) return undefined;
  const at = new Date(`${day}${time}`);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
