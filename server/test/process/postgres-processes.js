// Finds the embedded database's processes from the outside: what must be gone after a stop, and what a crash kills.
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Where the cluster of a DATA_DIR lies.
 * @param {string} dataDir
 */
export async function clusterOf(dataDir) {
  const recorded = await readFile(join(dataDir, 'postgres-location'), 'utf8').catch(() => '.');
  const base = resolve(dataDir, recorded.trim());
  return { base, cluster: join(base, 'postgres') };
}

/**
 * Where to connect to, as an administrator.
 * @param {string} dataDir
 */
export async function connectionOf(dataDir) {
  const { cluster } = await clusterOf(dataDir);
  const password = (await readFile(join(cluster, 'rapport-password'), 'utf8')).trim();
  const [, , , port, socketDirectory] = (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n');
  return { host: socketDirectory || '127.0.0.1', port: Number(port), user: 'rapport', password, database: 'rapport' };
}

/**
 * The postmaster and its children. They work in the cluster's folder, also those that an ended postmaster left behind.
 * Where there is no /proc, the postmaster alone.
 * @param {string} dataDir
 * @returns {Promise<number[]>}
 */
export async function postgresPids(dataDir) {
  const { cluster } = await clusterOf(dataDir);
  const found = await pidsIn(cluster);
  if (found) return found;
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  return text ? [Number.parseInt(text, 10)] : [];
}

/**
 * Processes that work in a folder; undefined where there is no /proc.
 * @param {string} folder
 * @returns {Promise<number[] | undefined>}
 */
export async function pidsIn(folder) {
  const entries = await readdir('/proc').catch(() => undefined);
  if (!entries) return undefined;
  const pids = entries.filter((name) => /^\d+$/.test(name)).map(Number);
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')));
  return pids.filter((_, i) => folders[i] === folder);
}

/**
 * kill -9 of the whole database.
 * @param {string} dataDir
 */
export async function killProcessesOf(dataDir) {
  for (;;) {
    const pids = await postgresPids(dataDir);
    if (pids.length === 0) return;
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It was faster.
      }
    }
    await sleep(10);
  }
}
