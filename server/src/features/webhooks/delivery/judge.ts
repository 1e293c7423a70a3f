// What the result of an attempt means for a delivery. Pure: the time and the random number are arguments.
import { waitAfter } from '../../../lib/backoff.js';
import type { Attempted } from '../call/caller.js';

// Milliseconds.
const firstWait = 5000;
const hour = 3_600_000;
const longestTried = 24 * hour;
// Up to a quarter more, so that retries do not all come at once; with it the longest wait is an hour.
const spread = 0.25;
const longestWait = hour / (1 + spread);

/** Earlier attempts of a delivery. */
interface Tried {
  attempts: number;
  /** The time of the first attempt, in milliseconds since 1970; now, if there was none. */
  firstTriedAt: number;
}

export type Verdict =
  | { what: 'delivered'; status: number; error: null }
  /** When it is tried again. `asked`: the receiver asked for this time. */
  | { what: 'later'; status: number | null; error: string; dueAt: number; asked: boolean }
  /** Given up. */
  | { what: 'failed'; status: number | null; error: string };

export function judge(attempted: Attempted, tried: Tried, now: number, random: () => number): Verdict {
  if (attempted.kind === 'refused') return { what: 'failed', status: null, error: attempted.why };
  if (attempted.kind === 'failed') return laterOrNever(null, attempted.why, tried, now, random, undefined);
  const { status } = attempted;
  if (status >= 200 && status < 300) return { what: 'delivered', status, error: null };
  if (status === 410) return { what: 'failed', status, error: 'It answered 410: it wants no more of these.' };
  const asked = status === 429 || status === 503 ? retryAfterMs(attempted.retryAfter, now) : undefined;
  return laterOrNever(status, whyNot(status), tried, now, random, asked);
}

/** Why an answer does not count as delivered. */
export function whyNot(status: number): string {
  if (status < 300 || status >= 400) return `It answered ${status}.`;
  return `It answered ${status}; a redirect is followed only for GET, or as 307 or 308.`;
}

function laterOrNever(
  status: number | null,
  error: string,
  { attempts, firstTriedAt }: Tried,
  now: number,
  random: () => number,
  askedMs: number | undefined,
): Verdict {
  const lastAt = firstTriedAt + longestTried;
  if (lastAt - now < firstWait)
    return { what: 'failed', status, error: `Given up after ${attempts + 1} attempts in 24 hours. The last: ${error}` };
  const wait = waitAfter(attempts + 1, firstWait, 2, longestWait) * (1 + spread * random());
  const dueAt = Math.min(now + Math.round(Math.max(wait, askedMs ?? 0)), lastAt);
  return { what: 'later', status, error, dueAt, asked: askedMs !== undefined };
}

/** Seconds or a date, in milliseconds from now; undefined for anything else. */
function retryAfterMs(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const ms = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isFinite(ms) && ms >= 0 ? ms : undefined;
}
