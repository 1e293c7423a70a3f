import type { Clock } from '../lib/clock.js';
import { type Looked, type Loop, startLoop } from './loop.js';
import type { Due, Queue, Watch } from './queue.js';
import { Turns } from './turns.js';

interface WorkerOptions {
  clock: Clock;
  watch: Watch;
  /** Looking for work failed: most likely the database is unavailable. */
  onError(error: Error): void;
}

/** Serves a queue: finds tenants with due work, gives fair turns, and lets tenants whose turn failed rest. */
export function startWorker(queue: Queue, { clock, watch, onError }: WorkerOptions): Loop {
  const turns = new Turns();
  // Hands that look at the same time, as when one timer wakes them all, share a look. They do not share one that began before they were woken,
  // because it may have missed the reason.
  let looking: Promise<Due> | undefined;

  function look(): Promise<Due> {
    if (looking) return looking;
    const own = queue.due().finally(() => {
      if (looking === own) looking = undefined;
    });
    looking = own;
    return own;
  }

  async function turn(hand: number, signal: AbortSignal): Promise<Looked> {
    const { tenants, nextInMs = Number.POSITIVE_INFINITY } = await look();
    turns.see(tenants, clock.elapsed());
    // Each once: if its work is gone, or taken by another worker, only the next look shows whether there is more.
    const left = new Set(tenants);
    for (;;) {
      const tenantId = signal.aborted ? undefined : turns.next([...left], clock.elapsed(), isExpress(hand));
      if (tenantId === undefined) return { idleMs: Math.max(1, Math.min(nextInMs, turns.soonest(clock.elapsed()))) };
      left.delete(tenantId);
      if (await serve(tenantId, signal)) return 'worked';
    }
  }

  // Looks again after a turn that did something, and after one that failed: another tenant may have been waiting.
  async function serve(tenantId: number, signal: AbortSignal): Promise<boolean> {
    try {
      const done = await queue.serve(tenantId, watch, signal);
      turns.served(tenantId);
      return done !== 'busy' && done > 0;
    } catch (error) {
      turns.failed(tenantId, clock.elapsed());
      watch.retried(queue.name, tenantId, error as Error);
      return true;
    }
  }

  const isExpress = (hand: number) => queue.hands >= 3 && hand === queue.hands - 1;
  const loop = startLoop({ turn, hands: queue.hands, pollMs: queue.pollMs, onError });
  return {
    wake: () => {
      looking = undefined;
      loop.wake();
    },
    stop: loop.stop,
  };
}
