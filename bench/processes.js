// The cost of processes, as Linux counts it.
import { readdir, readFile } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';

/**
 * Memory of several processes together in MB. PSS: a page that n processes share counts 1/n for each. RSS if PSS is not available.
 * @param {number[]} pids
 */
export async function memoryOf(pids) {
  const sizes = await Promise.all(pids.map(kilobytesOf));
  return sizes.reduce((sum, size) => sum + size, 0) / 1024;
}

/** @param {number} pid */
async function kilobytesOf(pid) {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const pss = /^Pss: +(\d+) kB/m.exec(rollup)?.[1];
  if (pss) return Number(pss);
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0);
}

/**
 * CPU time that several processes have used, in seconds. `withEnded`: including their children that have ended, such as connections
 * of a database.
 * @param {number[]} pids
 */
export async function cpuSecondsOf(pids, { withEnded = false } = {}) {
  const times = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // In user and kernel mode, in hundredths of a second; then the same for children.
      const times = fields.slice(11, withEnded ? 15 : 13).map(Number);
      return stat ? times.reduce((sum, time) => sum + time, 0) / 100 : 0;
    }),
  );
  return times.reduce((sum, time) => sum + time, 0);
}

/**
 * The child processes, without the database, which is a child of the service too.
 * @param {number} pid
 */
export async function childrenOf(pid) {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => ''));
  const children = (await Promise.all(lists)).flatMap((list) => list.trim().split(' ').filter(Boolean).map(Number));
  const names = await Promise.all(children.map((child) => readFile(`/proc/${child}/comm`, 'utf8').catch(() => '')));
  return children.filter((_, i) => names[i]?.trim() !== 'postgres');
}

/** @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

export function machine() {
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${availableParallelism()} cores, ${memory} GB, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
}
