import { setTimeout as sleep } from 'node:timers/promises';

export interface LoopOptions {
  /** Does one piece of work. `idle`: there was none; the lane sleeps until it is woken or the poll is due. */
  turn(lane: number): Promise<'worked' | 'idle'>;
  lanes: number;
  /** Everything is right by polling alone; waking only makes it prompt. */
  pollMs: number;
  onError(error: Error): void;
}

export interface Loop {
  wake(): void;
  /** Lets turns in progress finish. */
  stop(): Promise<void>;
}

const firstBackOffMs = 50;
const longestBackOffMs = 5000;

/** The one work loop: wake, take a turn, back off after an error, stop. State lives in the database, never here. */
export function startLoop({ turn, lanes, pollMs, onError }: LoopOptions): Loop {
  let stopped = false;
  const stopping = new AbortController();
  const sleepers = new Set<() => void>();
  // A wake that comes while a lane is busy must not be lost: the lane may have looked before the work arrived.
  let wakes = 0;

  async function rest(seen: number): Promise<void> {
    if (stopped || wakes !== seen) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, pollMs);
      function done(): void {
        clearTimeout(timer);
        sleepers.delete(done);
        resolve();
      }
      sleepers.add(done);
    });
  }

  async function run(lane: number): Promise<void> {
    let backOff = firstBackOffMs;
    while (!stopped) {
      const seen = wakes;
      try {
        if ((await turn(lane)) === 'idle') await rest(seen);
        backOff = firstBackOffMs;
      } catch (error) {
        onError(error as Error);
        await sleep(backOff, undefined, { signal: stopping.signal }).catch(() => undefined);
        backOff = Math.min(backOff * 2, longestBackOffMs);
      }
    }
  }

  const running = Array.from({ length: lanes }, (_, lane) => run(lane));
  const wakeAll = () => {
    for (const done of [...sleepers]) done();
  };
  return {
    wake: () => {
      wakes++;
      wakeAll();
    },
    stop: async () => {
      stopped = true;
      stopping.abort();
      wakeAll();
      await Promise.all(running);
    },
  };
}
