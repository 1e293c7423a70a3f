import type { Clock } from '../lib/clock.js';

/**
 * Takes one request from a budget: a tenant's by its number, any other by its name. `limit` requests pass in a window, which is a second unless
 * told otherwise. Returns 0 if the request may pass, else the seconds to wait. A promise if the budget is shared between nodes.
 */
export type TakeBudget = (budget: number | string, limit: number, window?: number) => number | Promise<number>;

// 5 ms short of a second: a client whose Retry-After timer fires a little early is not refused twice.
export const windowMs = 995;

/** The times of the last `limit` accepted requests, in a ring: exact for every window, not only fixed ones. */
class SlidingWindow {
  private ring: Float64Array;
  private next = 0;
  private filled = 0;
  lastUsed = 0;

  constructor(
    readonly limit: number,
    readonly window: number,
  ) {
    this.ring = new Float64Array(Math.min(limit, 64));
  }

  take(now: number): number {
    this.lastUsed = now;
    if (this.filled === this.ring.length) {
      const wait = (this.ring[this.next] as number) + this.window - now;
      if (wait > 0 && this.ring.length === this.limit) return Math.max(1, Math.ceil(wait / 1000));
      if (wait > 0) this.grow();
    }
    if (this.filled < this.ring.length) this.filled++;
    this.ring[this.next] = now;
    this.next = (this.next + 1) % this.ring.length;
    return 0;
  }

  // A budget of a million must not cost 8 MB for a tenant that sends ten requests a second.
  private grow(): void {
    const larger = new Float64Array(Math.min(this.limit, this.ring.length * 4));
    larger.set(this.ring.subarray(this.next));
    larger.set(this.ring.subarray(0, this.next), this.ring.length - this.next);
    this.next = this.ring.length;
    this.ring = larger;
  }
}

/** Budgets in this process's memory. */
export function memoryBudget(clock: Clock): TakeBudget {
  const windows = new Map<number | string, SlidingWindow>();
  let sweepAt = 0;
  return (budget, limit, window = windowMs) => {
    const now = clock.elapsed();
    if (now > sweepAt) {
      sweepAt = now + 60_000;
      for (const [id, { lastUsed, window: own }] of windows)
        if (lastUsed < now - Math.max(own, 60_000)) windows.delete(id);
    }
    let sliding = windows.get(budget);
    if (!sliding || sliding.limit !== limit) {
      sliding = new SlidingWindow(limit, window);
      windows.set(budget, sliding);
    }
    return sliding.take(now);
  };
}
