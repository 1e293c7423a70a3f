// A live tail is the newest events that were seen so far, and what each answer adds to them.
import type { DataValue, listRecentEvents } from '@rapport/contract';

type RecentEvents = DataValue<typeof listRecentEvents>;
export type RecentEvent = RecentEvents['events'][number];

export interface Tail {
  events: RecentEvent[];
  cursor: string;
  /** An answer was full: what came between it and the one before was passed over. */
  hasGap: boolean;
}

/** How many a tail remembers: more than anybody scrolls through, little enough to draw every two seconds. */
export const tailLength = 200;

export function withArrived(before: Tail | undefined, answer: RecentEvents, limit: number): Tail {
  const known = new Set(before?.events.map(({ no }) => no));
  const arrived = answer.events.filter(({ no }) => !known.has(no));
  // The first answer is full by nature, and one that has something known has no gap before it.
  const isFull = before !== undefined && before.events.length > 0 && arrived.length >= limit;
  return {
    events: [...arrived, ...(before?.events ?? [])].slice(0, tailLength),
    cursor: answer.cursor,
    hasGap: isFull || (before?.hasGap ?? false),
  };
}
