import { setTimeout as sleep } from 'node:timers/promises';
import { waitAfter } from '../lib/backoff.js';

/** `worked`: look again at once. `idle`: sleep until woken, until the poll is due, or for this many milliseconds, whichever comes first. */
export type Looked = 'worked' | 'idle' | { idleMs: number };

interface LoopOptions {
  /** Does one piece of work. `signal` is aborted when the loop is to stop: long work checks it between steps. */
  turn(hand: number, signal: AbortSignal): Promise<Looked>;
  hands: number;
  /** Polling alone is enough for correctness; waking only makes it prompt. */
  pollMs: number;
  onError(error: Error): void;
}

export interface Loop {
  wake(): void;
  /** Waits for turns in progress. */
  stop(): Promise<void>;
}

const firstRestMs = 50;
const longestRestMs = 2000;

/** The one loop: wake, take a turn, rest after an error, stop. State lives in the database, never here. */
export function startLoop({ turn, hands, pollMs, onError }: LoopOptions): Loop {
  const stopping = new AbortController();
  const { signal } = stopping;
  const sleepers = new Set<() => void>();
  // A wake that comes while a hand is busy must not be lost: the hand may have looked before the work arrived.
  let wakes = 0;

  async function rest(seen: number, ms: number): Promise<void> {
    if (signal.aborted || wakes !== seen) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, ms);
      function done(): void {
        clearTimeout(timer);
        sleepers.delete(done);
        resolve();
      }
      sleepers.add(done);
    });
  }

  async function run(hand: number): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      const seen = wakes;
      try {
        const looked = await turn(hand, signal);
        failures = 0;
        if (looked !== 'worked') await rest(seen, looked === 'idle' ? pollMs : Math.min(pollMs, looked.idleMs));
      } catch (error) {
        if (signal.aborted) return;
        onError(error as Error);
        const ms = waitAfter(++failures, firstRestMs, 2, longestRestMs);
        await sleep(ms, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  const running = Array.from({ length: hands }, (_, hand) => run(hand));
  const wakeAll = () => {
    for (const done of [...sleepers]) done();
  };
  return {
    wake: () => {
      wakes++;
      wakeAll();
    },
    stop: async () => {
      stopping.abort();
      wakeAll();
      await Promise.all(running);
    },
  };
}
