// Reads that may take seconds, and that pages ask for every few seconds.
import { type Clock, systemClock } from './clock.js';

// Milliseconds. A quicker read is made for everyone who asks.
const slow = 500;
/** A result is used again for this many times as long as it took to get, so the database spends at most a tenth of its time on it. */
const restFactor = 10;
const mostKept = 1000;

interface Read<T> {
  readonly result: Promise<T>;
  readonly beganAt: number;
  /** Until when its result is used again, once it is there. */
  until: number | undefined;
}

export class SharedReads<T> {
  private readonly reads = new Map<string, Read<T>>();

  constructor(private readonly clock: Clock = systemClock) {}

  /** The result of `read`, or of one that took long and was made for the same key a moment ago. */
  get(key: string, read: () => Promise<T>): Promise<T> {
    const now = this.clock.elapsed();
    const known = this.reads.get(key);
    if (known && now < (known.until ?? (now - known.beganAt >= slow ? Number.POSITIVE_INFINITY : 0)))
      return known.result;
    const made: Read<T> = { result: read(), beganAt: now, until: undefined };
    // The newest is last.
    this.reads.delete(key);
    this.reads.set(key, made);
    const [oldest] = this.reads.keys();
    if (this.reads.size > mostKept && oldest !== undefined) this.reads.delete(oldest);
    made.result.then(
      () => this.keep(key, made),
      () => this.drop(key, made),
    );
    return made.result;
  }

  private keep(key: string, made: Read<T>): void {
    const now = this.clock.elapsed();
    const took = now - made.beganAt;
    if (took < slow) this.drop(key, made);
    else made.until = now + restFactor * took;
  }

  private drop(key: string, made: Read<T>): void {
    if (this.reads.get(key) === made) this.reads.delete(key);
  }
}
