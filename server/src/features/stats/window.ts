// The window that statistics are asked for, and where to read it.
import type { Database, Runner } from '../../db/database.js';
import { piecesOf, type Window } from '../../db/tallies.js';

/** Where the end lies before the start, nothing happened in it. */
export function windowOf({
  startTime,
  endTime,
}: {
  startTime?: string | undefined;
  endTime?: string | undefined;
}): Window {
  return { from: startTime ?? null, to: endTime ?? null };
}

/** Whole hours are a few rows by their key; of the rest, single messages are counted, and there may be a million in an hour. */
export function readerOf(db: Database, tenantId: number, window: Window): Runner {
  return piecesOf(window).rest.length === 0 ? db : db.slow(tenantId);
}
