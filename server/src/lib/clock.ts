// The only place that reads a clock. Tests hand in their own.
export interface Clock {
  /** Wall clock. */
  now(): Date;
  /** Milliseconds that never run backwards, for measuring. */
  elapsed(): number;
}

export const systemClock: Clock = { now: () => new Date(), elapsed: () => performance.now() };

/** Milliseconds of processor time that this process has used. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
