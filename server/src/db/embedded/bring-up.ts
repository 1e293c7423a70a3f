import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../lib/clock.js';
import type { Address } from './address.js';
import { DataDirInUseError, PostmasterExitedError } from './errors.js';
import { connectGuard, ensureDatabase, type Guard, lockWithin, watch } from './guard.js';
import { type Postmaster, type ServerSpec, spawnPostmaster } from './postmaster.js';
import { clearTheWay, type TakeoverContext } from './takeover.js';

export interface Running {
  readonly postmaster: Postmaster;
  readonly guard: Guard;
}

// Backends of a killed server end within milliseconds; a rival's start takes less than a second.
const transientPatience = 15_000;

/** Takes over the cluster and starts its server: stops an orphan, starts the server, takes the lock. */
export async function bringUp(
  spec: ServerSpec,
  address: Address,
  context: TakeoverContext & { meanwhile?: (() => void) | undefined },
  signal: AbortSignal,
): Promise<Running> {
  const end = systemClock.elapsed() + transientPatience;
  for (;;) {
    await clearTheWay(context, signal);
    const postmaster = await spawnPostmaster(spec, address);
    context.meanwhile?.();
    try {
      await postmaster.ready(signal);
      return { postmaster, guard: await takeGuard(context, signal) };
    } catch (error) {
      await postmaster.stop();
      if (!isTransient(error) || systemClock.elapsed() > end) throw error;
    }
    await sleep(50, undefined, { signal });
  }
}

export async function takeGuard(context: TakeoverContext, signal: AbortSignal): Promise<Guard> {
  signal.throwIfAborted();
  const client = await connectGuard(context.connection);
  const guard = watch(client);
  try {
    if (!(await lockWithin(client, 1000))) throw new DataDirInUseError(context.dataDir);
    await ensureDatabase(client, context.connection.database);
  } catch (error) {
    await guard.release();
    throw error;
  }
  return guard;
}

function isTransient(error: unknown): boolean {
  if (error instanceof PostmasterExitedError) {
    // Another service was faster, a rival stopped it, or backends of a killed server are still ending.
    return (
      /lock file ".*" (already exists|is empty)|pre-existing shared memory block/.test(error.log) ||
      error.how === 'code 0'
    );
  }
  // A service that took the server for an orphan stopped it: check again who owns it.
  const code = (error as { code?: string }).code ?? '';
  return ['57P01', '57P03', 'ECONNREFUSED', 'ECONNRESET', 'ENOENT'].includes(code);
}

export function isPortTaken(error: unknown): boolean {
  return error instanceof PostmasterExitedError && /could not create any TCP\/IP sockets/.test(error.log);
}
