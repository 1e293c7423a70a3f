import { waitAfter } from '../lib/backoff.js';

// Milliseconds. From one minute to four hours, with up to a quarter more so that not everything comes back at once.
const minute = 60_000;
const hour = 60 * minute;
const spread = 0.25;
const longestWait = (4 * hour) / (1 + spread);

/**
 * When a message that was not accepted is tried again, after a number of attempts: later each time, and for the last time when its hours are over.
 * Null: it was the last. Times in milliseconds; `random` draws from 0 to 1.
 */
export function nextAttemptAt(
  attempts: number,
  firstAttemptAt: number,
  now: number,
  random: () => number,
  { longestHours }: { longestHours: number },
): number | null {
  const lastAt = firstAttemptAt + longestHours * hour;
  if (lastAt - now < minute) return null;
  const wait = waitAfter(Math.max(1, attempts), minute, 2, longestWait) * (1 + spread * random());
  return Math.min(now + Math.round(wait), lastAt);
}
