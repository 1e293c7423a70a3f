// The virtual clock: how fast it runs, and how its times are written.
import { dayFirst } from '../../../shared/day-first.ts';

export interface Speed {
  readonly id: string;
  /** Virtual milliseconds per real one. */
  readonly rate: number;
}

const hour = 3600;
export const speeds: readonly Speed[] = [
  { id: 'minutes', rate: 60 },
  { id: 'hour', rate: hour },
  { id: 'sixHours', rate: 6 * hour },
  { id: 'day', rate: 24 * hour },
  { id: 'threeDays', rate: 72 * hour },
  { id: 'week', rate: 168 * hour },
];

// Long enough to follow, short enough to watch to the end.
const watchedMs = 20_000;

/** The slowest speed at which the whole simulation takes about twenty seconds. */
export function usualSpeed(lengthMs: number): Speed {
  const last = speeds.at(-1) as Speed;
  return speeds.find(({ rate }) => lengthMs / rate <= watchedMs) ?? last;
}

/** The virtual time after some real time; the clock stops at the end. */
export function advance(at: number, elapsedMs: number, { rate }: Speed, end: number): number {
  return Math.min(end, at + elapsedMs * rate);
}

const day = dayFirst({
  ...{ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
});

export const sayMoment = (at: number): string => day.format(at);

/** `Day 3`: the first day is the one on which it starts. */
export const dayNumber = (start: number, at: number): number => Math.floor((at - start) / 86_400_000) + 1;
