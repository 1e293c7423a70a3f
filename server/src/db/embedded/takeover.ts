import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { systemClock } from '../../lib/clock.js';
import { type Connection, hostAndPort, socketPath } from './address.js';
import type { Binaries } from './binaries.js';
import { DataDirInUseError } from './errors.js';
import { connectGuard, lockWithin, tryLock, unlock } from './guard.js';
import { type Identity, identify, type PidFile, readPidFile, removeStaleLockFiles } from './pid-file.js';
import { interruptPostmaster } from './postmaster.js';

export interface TakeoverContext {
  readonly dataDir: string;
  readonly cluster: string;
  readonly connection: Connection;
  readonly binaries: Binaries;
  readonly onOrphan: (pid: number) => void;
}

// The lock of a killed service is released within milliseconds; a live one holds it.
const lockPatience = 1000;
// A live service that lost its guard connection takes the lock back within this time.
const ownerPatience = 200;
// As long as crash recovery, or the shutdown of a server that is stopping, may take.
const patience = 60_000;

/** Resolves when no server runs on the cluster: there was none, or it was an orphan and has been stopped cleanly. */
export async function clearTheWay(context: TakeoverContext, signal: AbortSignal): Promise<void> {
  const end = systemClock.elapsed() + patience;
  for (;;) {
    const file = await readPidFile(context.cluster);
    const identity = file ? await identify(file.pid, context.cluster) : 'gone';
    if (!isRunning(identity)) {
      await refuseIfAnswering(context, signal);
      await removeStaleLockFiles(context.cluster);
      return;
    }
    if (file?.status === 'ready') await stopOrphan(context, file, end, signal);
    if (systemClock.elapsed() > end) {
      throw new Error(
        `Process ${file?.pid} holds the database in ${context.cluster} and neither answers nor ends. Stop it, then start again.`,
      );
    }
    await sleep(10, undefined, { signal });
  }
}

async function stopOrphan(context: TakeoverContext, file: PidFile, end: number, signal: AbortSignal): Promise<void> {
  let client: pg.Client;
  try {
    client = await connectGuard({ ...context.connection, ...hostAndPort(file.address) });
  } catch (error) {
    if (isWrongPassword(error)) throw error;
    // It is starting, stopping, or recovering from a crash: the caller checks again.
    return;
  }
  try {
    if (!(await claim(client, signal))) throw new DataDirInUseError(context.dataDir);
    context.onOrphan(file.pid);
    interruptPostmaster(file.pid, context.binaries);
    // Hold the lock until the server has ended: a third service is then refused.
    while (systemClock.elapsed() < end && isRunning(await identify(file.pid, context.cluster)))
      await sleep(5, undefined, { signal });
  } catch (error) {
    if (error instanceof DataDirInUseError || signal.aborted || (error as NodeJS.ErrnoException).code === 'EPERM')
      throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function isRunning(identity: Identity): boolean {
  return identity === 'this postmaster' || identity === 'unknown';
}

/** Free twice, with a pause: once could be the moment between a live service's start (or lost connection) and its lock. */
async function claim(client: pg.Client, signal: AbortSignal): Promise<boolean> {
  if (!(await lockWithin(client, lockPatience))) return false;
  await unlock(client);
  await sleep(ownerPatience, undefined, { signal });
  return tryLock(client);
}

/** A server whose pid means nothing here (another container on the same volume) still responds on its socket. */
async function refuseIfAnswering(context: TakeoverContext, signal: AbortSignal): Promise<void> {
  if (process.platform === 'win32') return;
  const end = systemClock.elapsed() + lockPatience;
  while (await answers(socketPath(context.cluster))) {
    if (systemClock.elapsed() > end) throw new DataDirInUseError(context.dataDir);
    await sleep(50, undefined, { signal });
  }
}

async function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function isWrongPassword(error: unknown): boolean {
  return (error as { code?: string }).code === '28P01';
}
