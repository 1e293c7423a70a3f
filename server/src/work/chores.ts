import { type Loop, startLoop } from './loop.js';

/** A small periodic job. It never runs twice at once in one process. */
export interface Chore {
  /** Its name in logs. */
  readonly name: string;
  readonly everyMs: number;
  /** Also runs when the process starts; others wait for their time. */
  readonly atStart?: boolean;
  /** Runs in every process; others run only in workers. */
  readonly everywhere?: boolean;
  /** Receives a function that wakes it before its time. */
  onStart?(wake: () => void): void;
  /** Works in steps and checks the signal in between: a stopping process waits for it. */
  run(signal: AbortSignal): Promise<unknown>;
}

export function startChore({ everyMs, atStart = false, run, onStart }: Chore, onError: (error: Error) => void): Loop {
  let isFirst = !atStart;
  const loop = startLoop({
    turn: async (_lane, signal) => {
      if (!isFirst) await run(signal);
      isFirst = false;
      return 'idle';
    },
    hands: 1,
    pollMs: everyMs,
    onError,
  });
  onStart?.(loop.wake);
  return loop;
}

/** Repeats a sweep until nothing is left, a few rows at a time: long deletes would hold locks and bloat tables. */
export async function inSteps(
  sweep: (atMost: number) => Promise<number>,
  signal?: AbortSignal,
  atMost = 1000,
): Promise<void> {
  while (!signal?.aborted && (await sweep(atMost)) >= atMost);
}
