import type { Clock } from '../lib/clock.js';

/**
 * Takes one request from a tenant's budget. Returns 0 if it may pass, else the seconds to wait.
 * A promise if the budget is shared between nodes.
 */
export type TakeBudget = (tenantId: number, perSecond: number) => number | Promise<number>;

// 5 ms short of a second: a client whose Retry-After timer fires a little early is not refused twice.
export const windowMs = 995;

/** The times of the last `perSecond` accepted requests, in a ring: exact for every window, not only fixed ones. */
class SlidingWindow {
  private ring: Float64Array;
  private next = 0;
  private filled = 0;
  lastUsed = 0;

  constructor(readonly perSecond: number) {
    this.ring = new Float64Array(Math.min(perSecond, 64));
  }

  take(now: number): number {
    this.lastUsed = now;
    if (this.filled === this.ring.length) {
      const wait = (this.ring[this.next] as number) + windowMs - now;
      if (wait > 0 && this.ring.length === this.perSecond) return Math.max(1, Math.ceil(wait / 1000));
      if (wait > 0) this.grow();
    }
    if (this.filled < this.ring.length) this.filled++;
    this.ring[this.next] = now;
    this.next = (this.next + 1) % this.ring.length;
    return 0;
  }

  // A budget of a million must not cost 8 MB for a tenant that sends ten requests a second.
  private grow(): void {
    const larger = new Float64Array(Math.min(this.perSecond, this.ring.length * 4));
    larger.set(this.ring.subarray(this.next));
    larger.set(this.ring.subarray(0, this.next), this.ring.length - this.next);
    this.next = this.ring.length;
    this.ring = larger;
  }
}

/** Budgets in this process's memory. */
export function memoryBudget(clock: Clock): TakeBudget {
  const windows = new Map<number, SlidingWindow>();
  let sweepAt = 0;
  return (tenantId, perSecond) => {
    const now = clock.elapsed();
    if (now > sweepAt) {
      sweepAt = now + 60_000;
      for (const [id, window] of windows) if (window.lastUsed < now - 60_000) windows.delete(id);
    }
    let window = windows.get(tenantId);
    if (!window || window.perSecond !== perSecond) {
      window = new SlidingWindow(perSecond);
      windows.set(tenantId, window);
    }
    return window.take(now);
  };
}
