import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from './address.js';
import { bringUp, type Running, takeGuard } from './bring-up.js';
import { boundLog } from './log-file.js';
import type { ServerSpec } from './postmaster.js';
import type { TakeoverContext } from './takeover.js';

export interface Log {
  info(obj: object, msg: string): void;
  warn(obj: object, msg: string): void;
}

export interface Supervisor {
  readonly pid: number;
  /** `patience`: milliseconds that the server has to end by itself. */
  stop(patience?: number): Promise<void>;
}

const firstDelay = 50;
const longestDelay = 2000;
const logCheckEvery = 10 * 60_000;

/** Keeps the server running and the lock held until `stop`. */
export function supervise(
  started: Running,
  spec: ServerSpec,
  address: Address,
  context: TakeoverContext,
  log: Log,
): Supervisor {
  let running = started;
  let stopped: Promise<void> | undefined;
  const stopping = new AbortController();
  const stopRequested = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve()));

  // If the service ends without stop(), by process.exit or an uncaught error, its database stops with it.
  const onExit = () => running.postmaster.interrupt();
  process.once('exit', onExit);
  const logTimer = setInterval(() => void boundLog(spec.logPath).catch(() => undefined), logCheckEvery).unref();

  async function restore(): Promise<void> {
    let delay = firstDelay;
    while (!stopping.signal.aborted) {
      try {
        running = running.postmaster.isRunning()
          ? { ...running, guard: await takeGuard(context, stopping.signal) }
          : await bringUp(spec, address, context, stopping.signal);
        log.info({ pid: running.postmaster.pid }, 'the embedded PostgreSQL is back');
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        log.warn({ err: error }, 'the embedded PostgreSQL is not back yet, trying again');
        await sleep(delay, undefined, { signal: stopping.signal }).catch(() => undefined);
        delay = Math.min(delay * 2, longestDelay);
      }
    }
  }

  async function keepRunning(): Promise<void> {
    for (;;) {
      await Promise.race([running.postmaster.exited, running.guard.lost, stopRequested]);
      if (stopping.signal.aborted) return;
      const { pid } = running.postmaster;
      // A dead server ends the connection too: wait for its exit before deciding which of the two it was.
      await Promise.race([running.postmaster.exited, sleep(20)]);
      const what = running.postmaster.isRunning() ? 'closed its connection to the service' : 'ended unexpectedly';
      log.warn({ pid }, `the embedded PostgreSQL ${what}`);
      if (!running.postmaster.isRunning()) await running.guard.release();
      await restore();
    }
  }

  const loop = keepRunning();
  return {
    get pid() {
      return running.postmaster.pid;
    },
    stop: (patience) => {
      stopped ??= (async () => {
        stopping.abort();
        await loop;
        clearInterval(logTimer);
        process.off('exit', onExit);
        await Promise.all([running.guard.release(), running.postmaster.stop(patience)]);
      })();
      return stopped;
    },
  };
}
