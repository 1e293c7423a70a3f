// Decides whose turn is next. Pure: every call passes the time, in milliseconds of a monotonic clock.
import { waitAfter } from '../lib/backoff.js';

interface Standing {
  /** When it was served last; -1 for never. */
  servedAt: number;
  /** Turns in a row after which there was still work. */
  streak: number;
  failures: number;
  restsUntil: number;
  isBeingServed: boolean;
}

const firstRestMs = 100;
const longestRestMs = 5000;
// A tenant that still had work after more turns in a row than this has a backlog.
const shortStreak = 2;

/**
 * Fair turns: next is the tenant that was served longest ago. One whose turn failed rests for a while, longer each time, and
 * no other tenant waits for it.
 */
export class Turns {
  private readonly standings = new Map<number, Standing>();

  /** How many tenants it remembers. */
  get size(): number {
    return this.standings.size;
  }

  /** Notes which tenants have work, and forgets the others: a tenant that comes back has no backlog, but its rest still lasts. */
  see(waiting: readonly number[], now: number): void {
    const isWaiting = new Set(waiting);
    for (const [tenantId, standing] of this.standings) {
      if (isWaiting.has(tenantId) || standing.isBeingServed) continue;
      if (standing.restsUntil > now) standing.streak = 0;
      else this.standings.delete(tenantId);
    }
  }

  /**
   * The next tenant that has work; it counts as being served from now on. `express`: only one without a backlog, so that a single piece of work
   * does not wait for the long turns of others.
   */
  next(waiting: readonly number[], now: number, express = false): number | undefined {
    let next: number | undefined;
    let longestAgo = Number.POSITIVE_INFINITY;
    for (const tenantId of waiting) {
      const standing = this.standings.get(tenantId);
      if (standing && (standing.isBeingServed || standing.restsUntil > now)) continue;
      if (express && standing && standing.streak >= shortStreak) continue;
      const servedAt = standing?.servedAt ?? -1;
      if (servedAt < longestAgo) [next, longestAgo] = [tenantId, servedAt];
    }
    if (next !== undefined) Object.assign(this.standingOf(next), { isBeingServed: true, servedAt: now });
    return next;
  }

  /** Its turn is over: it did some work, or found none. */
  served(tenantId: number): void {
    const standing = this.standingOf(tenantId);
    Object.assign(standing, { isBeingServed: false, failures: 0, restsUntil: 0, streak: standing.streak + 1 });
  }

  /** Its turn failed. Returns for how many milliseconds it rests. */
  failed(tenantId: number, now: number): number {
    const standing = this.standingOf(tenantId);
    const failures = standing.failures + 1;
    const rest = waitAfter(failures, firstRestMs, 2, longestRestMs);
    Object.assign(standing, { isBeingServed: false, failures, restsUntil: now + rest, streak: standing.streak + 1 });
    return rest;
  }

  /** Milliseconds until the first resting tenant may continue. */
  soonest(now: number): number {
    let soonest = Number.POSITIVE_INFINITY;
    for (const { restsUntil } of this.standings.values())
      if (restsUntil > now) soonest = Math.min(soonest, restsUntil - now);
    return soonest;
  }

  private standingOf(tenantId: number): Standing {
    let standing = this.standings.get(tenantId);
    if (!standing) {
      standing = { servedAt: -1, streak: 0, failures: 0, restsUntil: 0, isBeingServed: false };
      this.standings.set(tenantId, standing);
    }
    return standing;
  }
}
