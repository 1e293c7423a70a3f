// Finds a page from the counts of months. Pure.
import { monthEnd, monthStart, type Span } from '../../../lib/month.js';

export interface MonthCount {
  month: number;
  events: number;
}

/** Where a page is: how many events to skip and to read, newest first. */
export interface Place {
  span: Span;
  skip: number;
  take: number;
}

/** The months that contain a page, and what to skip in the newest of them. Undefined for a page past the end. */
export function findPlace(
  months: readonly MonthCount[],
  { limit, offset }: { limit: number; offset: number },
): Place | undefined {
  let skip = offset;
  let newest = 0;
  while (newest < months.length && skip >= (months[newest] as MonthCount).events) {
    skip -= (months[newest] as MonthCount).events;
    newest++;
  }
  if (newest === months.length) return undefined;
  let oldest = newest;
  let reached = (months[newest] as MonthCount).events - skip;
  while (reached < limit && oldest + 1 < months.length) {
    oldest++;
    reached += (months[oldest] as MonthCount).events;
  }
  const span = {
    from: monthStart((months[oldest] as MonthCount).month),
    before: monthEnd((months[newest] as MonthCount).month),
  };
  return { span, skip, take: Math.min(limit, reached) };
}
