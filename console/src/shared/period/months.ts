// Months of the calendar, in UTC.
export interface StatsWindow {
  startTime?: string | undefined;
  endTime?: string | undefined;
}

/** The first moment of the month, or of the quarter (3), of a time. */
export function startOfMonth(time: number, months: 1 | 3): number {
  const at = new Date(time);
  return Date.UTC(at.getUTCFullYear(), Math.floor(at.getUTCMonth() / months) * months);
}

/** The same day and time some months on; the last moment of a month that is too short for it. */
export function monthsFrom(time: number, months: number): number {
  const at = new Date(time);
  const first = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months);
  const next = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months + 1);
  return Math.min(first + (time - startOfMonth(time, 1)), next - 1);
}

/** The window that many months earlier. One that `isWhole` ends with a month, however long that is. */
export function shiftedByMonths(window: StatsWindow, months: number, isWhole: boolean): StatsWindow | undefined {
  if (!window.startTime || !window.endTime) return undefined;
  const start = Date.parse(window.startTime);
  const end = Date.parse(window.endTime);
  const earlier = isWhole ? start - 1 : monthsFrom(end, -months);
  return { startTime: new Date(monthsFrom(start, -months)).toISOString(), endTime: new Date(earlier).toISOString() };
}

/** How many months these days are, from the first day of one to the last day of one; else 0. */
export function wholeMonths(from: string, to: string): number {
  const [first, after] = [new Date(from), new Date(Date.parse(to) + 86_400_000)];
  if (first.getUTCDate() !== 1 || after.getUTCDate() !== 1) return 0;
  const months = (after.getUTCFullYear() - first.getUTCFullYear()) * 12 + after.getUTCMonth() - first.getUTCMonth();
  return Math.max(0, months);
}
