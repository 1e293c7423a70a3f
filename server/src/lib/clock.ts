// The only place that reads a clock. Tests pass their own.
export interface Clock {
  /** Wall clock. */
  now(): Date;
  /** Milliseconds of a monotonic clock, for measuring. */
  elapsed(): number;
}

export const systemClock: Clock = { now: () => new Date(), elapsed: () => performance.now() };

/** Milliseconds of CPU time that this process has used. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
