// Whether a request may go again, and when. Pure: time and chance are arguments.
import type { ApiFailure } from './failure.js';

export interface Patience {
  /** How often a request is sent, the first time included. */
  attempts: number;
  /** No attempt starts later than this after the first. */
  patienceMs: number;
  /** How long one attempt may take. Uploads take as long as they need, downloads as long as they go on. */
  timeoutMs: number;
}
export const defaultPatience: Patience = { attempts: 5, patienceMs: 60_000, timeoutMs: 60_000 };

const firstBackoffMs = 250;
const longestBackoffMs = 8_000;
// A service that asks for more has something else to tell: that is for the caller to hear.
const longestWaitMs = 30_000;

/** How much may go wrong when a request arrives twice. */
export interface Repeatable {
  /** Twice is as good as once: a read, or a POST with an Idempotency-Key. */
  harmless: boolean;
  /** A stream can be read only once. */
  replayable: boolean;
}

export function mayRepeat({ harmless, replayable }: Repeatable, failure: ApiFailure): boolean {
  if (!replayable) return false;
  switch (failure.status) {
    // The budget is looked at before anything is done.
    case 429:
      return true;
    case 0:
      // Not where a browser hides a redirect: that would come again.
      return harmless && failure.errorCode === 'NO_ANSWER';
    case 503:
    case 504:
      return harmless;
    // A proxy that found no service. With an envelope it is Rapport, and of its mail server: the same again would come.
    case 502:
      return harmless && failure.errorCode === 'UNKNOWN';
    default:
      return false;
  }
}

/** Milliseconds before attempt number `attempt + 1`; undefined when it is time to give up. */
export function waitAfter(
  attempt: number,
  failure: ApiFailure,
  spentMs: number,
  patience: Patience,
  random: () => number,
): number | undefined {
  if (attempt >= patience.attempts) return undefined;
  const backoff = Math.min(firstBackoffMs * 2 ** (attempt - 1), longestBackoffMs);
  // Chance keeps those who were refused together from coming back together.
  const own = backoff / 2 + (random() * backoff) / 2;
  const asked = failure.retryAfter === undefined ? 0 : failure.retryAfter * 1000 + random() * firstBackoffMs;
  const wait = Math.max(own, asked);
  return wait > longestWaitMs || spentMs + wait > patience.patienceMs ? undefined : wait;
}

/** Seconds that a Retry-After asks for: a whole number, or the time until a date. */
export function readRetryAfter(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  // Only dates with a month by name: Date.parse would take "-5" for a year.
  const at = /[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000));
}
