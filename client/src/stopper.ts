/** An abort of our own that follows the caller's signal too, until it is let go: a signal may outlive many calls. */
export interface Stopper {
  readonly signal: AbortSignal;
  /** Stops with this reason after so long. The time before it, if any, no longer counts. */
  stopAfter(ms: number, reason: unknown): void;
  clearTime(): void;
  letGo(): void;
}

// Node and browsers take a longer time for none at all.
const longestTimerMs = 2 ** 31 - 1;

export function stopperOf(signal: AbortSignal | undefined): Stopper {
  const own = new AbortController();
  const onAbort = () => own.abort(signal?.reason);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const clearTime = () => clearTimeout(timer);
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: own.signal,
    stopAfter(ms, reason) {
      clearTime();
      if (ms <= longestTimerMs) timer = setTimeout(() => own.abort(reason), ms);
    },
    clearTime,
    letGo() {
      clearTime();
      signal?.removeEventListener('abort', onAbort);
    },
  };
}
