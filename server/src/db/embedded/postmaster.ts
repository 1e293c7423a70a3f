import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../lib/clock.js';
import type { Address } from './address.js';
import { type Binaries, program } from './binaries.js';
import { PostmasterExitedError } from './errors.js';
import { type LogFile, openLog } from './log-file.js';
import { processOptions, type RunAs } from './ownership.js';
import { childrenOf, readPidFile } from './pid-file.js';
import { serverArguments } from './settings.js';

export interface ServerSpec {
  readonly cluster: string;
  readonly logPath: string;
  readonly binaries: Binaries;
  readonly runAs: RunAs | undefined;
}

/** A server process that this service started. */
export interface Postmaster {
  readonly pid: number;
  readonly exited: Promise<void>;
  readonly isRunning: () => boolean;
  /** Resolves when it accepts connections; rejects when it ends before, or after `readyWithin`. */
  ready(signal: AbortSignal): Promise<void>;
  interrupt(): void;
  stop(patience?: number): Promise<void>;
}

// Crash recovery replays at most max_wal_size (1 GB).
const readyWithin = 60_000;
const pollEvery = 10;
const stopPatience = 60_000;
// Backends end within milliseconds of a SIGQUIT, unless they are stopped like the postmaster.
const quitPatience = 500;
const killPatience = 2000;

export async function spawnPostmaster(spec: ServerSpec, address: Address): Promise<Postmaster> {
  const log = await openLog(spec.logPath);
  const child = spawn(
    program(spec.binaries.directory, 'postgres'),
    serverArguments(spec.cluster, address, spec.binaries.major),
    // Its own process group: Ctrl-C in a terminal must not stop the database before the service has drained.
    { ...processOptions(spec.runAs), detached: true, stdio: ['ignore', log.fd, log.fd] },
  );
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  try {
    await once(child, 'spawn');
  } finally {
    log.close();
  }
  const { pid } = child;
  if (pid === undefined) throw new Error('The embedded PostgreSQL has no pid.');
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    pid,
    exited,
    isRunning,
    ready: (signal) => waitUntilReady(spec.cluster, child, log, signal),
    interrupt: () => void (isRunning() && interruptPostmaster(pid, spec.binaries)),
    stop: (patience = stopPatience) => stopChild(child, exited, spec.binaries, patience),
  };
}

/** postmaster.pid names our child only once it has locked the folder, so we never mistake another service's server for ours. */
async function waitUntilReady(cluster: string, child: ChildProcess, log: LogFile, signal: AbortSignal): Promise<void> {
  const end = systemClock.elapsed() + readyWithin;
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new PostmasterExitedError(`${child.signalCode ?? `code ${child.exitCode}`}`, await log.written());
    }
    const file = await readPidFile(cluster);
    if (file?.pid === child.pid && file?.status === 'ready') return;
    if (systemClock.elapsed() > end) {
      throw new Error(`The embedded PostgreSQL was not ready within ${readyWithin / 1000} s:\n${await log.written()}`);
    }
    await sleep(pollEvery, undefined, { signal });
  }
}

/** Fast shutdown: open transactions are rolled back, a checkpoint is written. */
export function interruptPostmaster(pid: number, binaries: Binaries): void {
  if (process.platform !== 'win32') {
    process.kill(pid, 'SIGINT');
    return;
  }
  // Windows has no signals; PostgreSQL emulates them.
  execFileSync(program(binaries.directory, 'pg_ctl'), ['kill', 'INT', String(pid)], {
    stdio: 'ignore',
    windowsHide: true,
  });
}

async function stopChild(
  child: ChildProcess,
  exited: Promise<void>,
  binaries: Binaries,
  patience: number,
): Promise<void> {
  const running = () => child.exitCode === null && child.signalCode === null;
  if (!running() || child.pid === undefined) return;
  interruptPostmaster(child.pid, binaries);
  if (await within(exited, patience)) return;
  // No checkpoint any more; the next start recovers from the WAL.
  const backends = await childrenOf(child.pid);
  child.kill('SIGQUIT');
  if (await within(exited, quitPatience)) return;
  // A server that was stopped with SIGSTOP obeys only this, and so do its backends: left alive, they would keep its shared memory, and the next
  // server could not start.
  child.kill('SIGKILL');
  for (const pid of backends) kill(pid);
  // A server whose disk hangs does not obey even this; the service must not hang with it.
  await within(exited, killPatience);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It had already ended.
  }
}

async function within(event: Promise<void>, milliseconds: number): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(milliseconds, false, { signal: timer.signal }).catch(() => false);
  const happened = await Promise.race([event.then(() => true), late]);
  timer.abort();
  return happened;
}
