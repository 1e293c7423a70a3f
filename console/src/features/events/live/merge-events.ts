// A live tail: the newest events seen so far, and what each response adds to them.
import type { DataValue, listRecentEvents } from '@rapport/contract';

type RecentEvents = DataValue<typeof listRecentEvents>;
export type RecentEvent = RecentEvents['events'][number];

export interface Tail {
  events: RecentEvent[];
  cursor: string;
  /** A response was full: events between it and the one before were skipped. */
  hasGap: boolean;
}

/** How many a tail keeps: more than anyone scrolls through, few enough to draw every two seconds. */
export const tailLength = 200;

export function withArrived(before: Tail | undefined, answer: RecentEvents, limit: number): Tail {
  const known = new Set(before?.events.map(({ no }) => no));
  const arrived = answer.events.filter(({ no }) => !known.has(no));
  // The first response is full by nature, and one that contains a known event has no gap before it.
  const isFull = before !== undefined && before.events.length > 0 && arrived.length >= limit;
  return {
    events: [...arrived, ...(before?.events ?? [])].slice(0, tailLength),
    cursor: answer.cursor,
    hasGap: isFull || (before?.hasGap ?? false),
  };
}
