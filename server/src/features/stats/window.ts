// The time window of a statistics request, and where to read it.
import type { Database, Runner } from '../../db/database.js';
import { dayMs, hourMs, piecesOf, type Stretch, type Window } from '../../db/tallies.js';

/** If it ends before it starts, it is empty. */
export function windowOf({
  startTime,
  endTime,
}: {
  startTime?: string | undefined;
  endTime?: string | undefined;
}): Window {
  return { from: startTime ?? null, to: endTime ?? null };
}

export const ever: Window = { from: null, to: null };

// How many counters can be read beside acknowledgements: a few milliseconds.
const fewCounters = 2500;
// The length in days that an open-ended window counts as.
const usualDays = 365;

/** What a read is about. `subjects`: roughly how many counters one interval has. */
export interface WindowRead {
  window: Window;
  subjects: number;
  grain?: 'hour' | 'day';
}

/** For an unknown amount. */
export const anyNumber = Number.POSITIVE_INFINITY;

/**
 * The reads of one request; `work` gets a runner for each. A few counters by key are a point read. But a year of 500 journeys is a
 * million counters, and incomplete hours are counted message by message, possibly a million too: other requests must not wait behind
 * those. The slow reads of a request share one place; otherwise a request that had waited for its first place would wait again for the next.
 */
export function readAll<T>(
  db: Database,
  tenantId: number,
  asked: readonly WindowRead[],
  work: (...readers: Runner[]) => Promise<T>,
): Promise<T> {
  const few = asked.map(isFew);
  const read = (slow: Runner) => work(...few.map((isPoint) => (isPoint ? db : slow)));
  return few.includes(false) ? db.slowly(tenantId, read) : read(db);
}

function isFew({ window, subjects, grain }: WindowRead): boolean {
  return piecesOf(window).rest.length === 0 && subjects * countersIn(window, grain) <= fewCounters;
}

/** In the form that tallies.ts reads. */
function countersIn(window: Window, grain: 'hour' | 'day' | undefined): number {
  if (grain === undefined && window.from === null && window.to === null) return 1;
  const { days, hours } = piecesOf(window);
  return countOf(days, grain === 'hour' ? hourMs : dayMs) + countOf(hours, hourMs);
}

function countOf(stretches: readonly Stretch[], unit: number): number {
  return stretches.reduce((sum, [from, to]) => {
    const length = to - from;
    return sum + (Number.isFinite(length) ? length : usualDays * dayMs) / unit;
  }, 0);
}
