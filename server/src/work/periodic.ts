/** A small job that runs now and then and never beside itself. */
export interface Periodic {
  /** Waits for a run in progress. */
  stop(): Promise<void>;
}

export function runPeriodically(
  job: () => Promise<unknown>,
  everyMs: number,
  onError: (error: Error) => void,
): Periodic {
  let running: Promise<unknown> = Promise.resolve();
  let stopped = false;
  let timer = setTimeout(tick, everyMs);
  timer.unref();
  function tick(): void {
    running = job()
      .catch(onError)
      .finally(() => {
        if (stopped) return;
        timer = setTimeout(tick, everyMs);
        timer.unref();
      });
  }
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** Repeats a sweep until nothing is left, a few rows at a time: long deletes would hold locks and bloat tables. */
export async function inSteps(sweep: (atMost: number) => Promise<number>, atMost = 1000): Promise<void> {
  while ((await sweep(atMost)) >= atMost);
}
