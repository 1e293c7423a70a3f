// One receiver as this process sees it: what was claimed for it, how many calls it takes at once, and when it needs a rest.
// Pure: every call passes the time, in milliseconds of a monotonic clock.
import { waitAfter } from '../../../lib/backoff.js';

/** Deliveries sent one after the other, because they are about one contact. */
export type Chain<T> = readonly T[];

// Concurrent calls. A receiver that answers fast gets more, one that fails or is slow gets fewer.
const [firstWidth, mostWidth, slowWidth] = [8, 32, 4];
// Milliseconds.
const [fast, slow] = [2000, 5000];
const [firstRest, longestRest] = [5000, 300_000];
// One delivery that a receiver refuses must not delay the others; this many failures in a row mean that the receiver is down.
const bearable = 4;
// How many chains are claimed ahead per concurrent call.
const ahead = 4;

export class Lane<T> {
  private queue: Chain<T>[] = [];
  private running = 0;
  private width = firstWidth;
  /** Failures in a row. */
  private failures = 0;
  private restsUntil = 0;
  /** Whether anything was due for it at the last look. */
  isDue = false;

  constructor(
    readonly tenantId: number,
    readonly name: string,
  ) {}

  /** How many deliveries to claim. */
  room(now: number): number {
    if (this.restsUntil > now) return 0;
    // After a rest, one call goes first to see whether the receiver is back.
    if (this.failures > bearable) return this.running + this.queue.length > 0 ? 0 : 1;
    return this.queue.length >= this.width ? 0 : this.width * ahead;
  }

  add(chains: readonly Chain<T>[]): void {
    this.queue.push(...chains);
  }

  get hasWork(): boolean {
    return this.queue.length > 0 && this.running < this.width;
  }

  /** Takes the next chain; `done` ends it. */
  take(): Chain<T> | undefined {
    const next = this.hasWork ? this.queue.shift() : undefined;
    if (next) this.running++;
    return next;
  }

  done(): void {
    this.running--;
  }

  succeeded(tookMs: number): void {
    this.failures = 0;
    if (tookMs < fast) this.width = Math.min(this.width + 1, mostWidth);
    else if (tookMs > slow) this.width = Math.min(this.width, slowWidth);
  }

  /** @param askedMs how long the receiver asked to be left alone. */
  failed(now: number, askedMs = 0): void {
    this.failures++;
    this.width = Math.max(1, this.width >> 1);
    const ownMs = this.failures > bearable ? waitAfter(this.failures - bearable, firstRest, 2, longestRest) : 0;
    const restMs = Math.max(ownMs, askedMs);
    if (restMs > 0) this.restsUntil = Math.max(this.restsUntil, now + restMs);
  }

  /** Gives back what has not started. */
  empty(): Chain<T>[] {
    const left = this.queue;
    this.queue = [];
    return left;
  }

  restMs(now: number): number {
    return Math.max(0, this.restsUntil - now);
  }

  /** Whether it can be forgotten. */
  isIdle(now: number): boolean {
    return this.running === 0 && this.queue.length === 0 && this.restsUntil <= now;
  }
}
