import type { Database } from '../../../db/database.js';
import { justAfter } from '../../../lib/instant.js';
import { clip, monthEnd, monthOf, monthStart, type Span } from '../../../lib/month.js';
import { findPlace, type MonthCount, type Place } from './place.js';
import { countEvents, type Owner, type Source, selectMonths } from './queries.js';

/** Both ends are inclusive. */
interface Window {
  startTime: string | undefined;
  endTime: string | undefined;
}

/**
 * A page of a contact's activity. Counts per month give the total and the position of the page: whole months before it are skipped unread. A window
 * counts the months at its ends by index.
 */
export async function readTimeline<Row>(
  db: Database,
  sources: readonly Source[],
  owner: Owner,
  window: Window,
  page: { limit: number; offset: number },
  readRows: (place: Place) => Promise<Row[]>,
): Promise<{ rows: Row[]; total: number }> {
  const span = spanOf(window);
  if (span.from >= span.before) return { rows: [], total: 0 };
  // A month may move to its partition, or an erasure may happen, between the two reads: then the page is short, and is read again.
  for (let attempt = 1; ; attempt++) {
    const months = mergeMonths(await Promise.all(sources.map((source) => countMonths(db, source, owner, span))));
    const total = months.reduce((sum, { events }) => sum + events, 0);
    const place = findPlace(months, page);
    if (!place) return { rows: [], total };
    const rows = await readRows({ ...place, span: clip(place.span, span) });
    if (rows.length === place.take || attempt === 3) return { rows, total };
  }
}

// The end is inclusive to the millisecond, which is the precision of stored times.
function spanOf({ startTime, endTime }: Window): Span {
  return { from: startTime ?? '-infinity', before: endTime === undefined ? 'infinity' : justAfter(endTime) };
}

const lastMonth = monthOf('9999-12');

async function countMonths(db: Database, source: Source, owner: Owner, span: Span): Promise<MonthCount[]> {
  const first = span.from === '-infinity' ? 0 : monthOf(span.from);
  const last = span.before === 'infinity' ? lastMonth : monthOf(span.before);
  const months = await selectMonths(db, source, owner, first, last);
  return Promise.all(
    months.map(async ({ month, events }) => {
      const whole = { from: monthStart(month), before: monthEnd(month) };
      const part = clip(whole, span);
      if (part.from === whole.from && part.before === whole.before) return { month, events };
      return { month, events: part.from < part.before ? await countEvents(db, source, owner, part) : 0 };
    }),
  );
}

/** Newest month first, each once. */
function mergeMonths(lists: readonly MonthCount[][]): MonthCount[] {
  if (lists.length === 1) return lists[0] as MonthCount[];
  const byMonth = new Map<number, number>();
  for (const { month, events } of lists.flat()) byMonth.set(month, (byMonth.get(month) ?? 0) + events);
  return [...byMonth].map(([month, events]) => ({ month, events })).sort((a, b) => b.month - a.month);
}
