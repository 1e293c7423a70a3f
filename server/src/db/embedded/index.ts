import { mkdir, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Connection, chooseAddress, hostAndPort } from './address.js';
import { type Binaries, findBinaries } from './binaries.js';
import { findBinaryPackage } from './binary-package.js';
import { bringUp, isPortTaken } from './bring-up.js';
import { ensureCluster, readPassword, requireMajor, superuser } from './cluster.js';
import { discard } from './discard.js';
import { chooseLocation, recordLocation } from './location.js';
import type { ServerSpec } from './postmaster.js';
import { type Log, type Supervisor, supervise } from './supervisor.js';

export { DataDirInUseError, NoBinariesError } from './errors.js';

export interface EmbeddedPostgres {
  readonly connection: Connection;
  /** Directory of the cluster. */
  readonly location: string;
  /** Set if it had to be outside dataDir. */
  readonly relocated: boolean;
  /** The pid of the current server process; it changes after a crash. */
  readonly pid: number;
  /** Stops cleanly, or by force after `patience` milliseconds: then the next start recovers from its log. */
  stop(patience?: number): Promise<void>;
}

export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log: Log;
  pathVariable?: string;
  /** Called once a program of the database has been launched, which takes a moment on another core. */
  meanwhile?: () => void;
}): Promise<EmbeddedPostgres> {
  await mkdir(options.dataDir, { recursive: true });
  const dataDir = await realpath(options.dataDir);
  const installed = await findBinaryPackage();
  const { base, relocated, runAs } = await chooseLocation(dataDir, installed);
  const binaries = await findBinaries({ installed, base, runAs, pathVariable: options.pathVariable ?? '' });
  const cluster = await ensureCluster(base, binaries, runAs, options.meanwhile);
  await requireMajor(cluster, binaries);
  await recordLocation(dataDir, base);
  const spec = { cluster, logPath: join(base, 'postgres.log'), binaries, runAs };
  const { connection, supervisor } = await startServer(spec, dataDir, options.log, options.meanwhile);
  await removeLeftovers(base, binaries);
  return {
    connection,
    location: cluster,
    relocated,
    get pid() {
      return supervisor.pid;
    },
    stop: (patience) => supervisor.stop(patience),
  };
}

async function startServer(
  spec: ServerSpec,
  dataDir: string,
  log: Log,
  meanwhile?: () => void,
): Promise<{ connection: Connection; supervisor: Supervisor }> {
  const password = await readPassword(spec.cluster);
  for (let attempt = 1; ; attempt += 1) {
    const address = await chooseAddress(spec.cluster);
    const connection = { ...hostAndPort(address), user: superuser, password, database: 'rapport' };
    const onOrphan = (pid: number) =>
      log.warn({ pid }, 'stopping the embedded PostgreSQL that a killed service left behind');
    const context = { dataDir, cluster: spec.cluster, connection, binaries: spec.binaries, onOrphan };
    try {
      const running = await bringUp(spec, address, { ...context, meanwhile }, new AbortController().signal);
      return { connection, supervisor: supervise(running, spec, address, context, log) };
    } catch (error) {
      // The port was taken between our check and the server's start.
      if (!isPortTaken(error) || attempt === 5) throw error;
    }
  }
}

/** Removes what crashes and older versions left behind. Only now: we hold the lock, so no other service uses them. */
async function removeLeftovers(base: string, binaries: Binaries): Promise<void> {
  const copyInUse = basename(dirname(dirname(binaries.directory)));
  for (const name of await readdir(base)) {
    const isOld = name.startsWith('postgres.new-') || (name.startsWith('postgres-binaries-') && name !== copyInUse);
    if (isOld) await discard(join(base, name));
  }
}
