import { execFile } from 'node:child_process';
import { link, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '../../lib/clock.js';
import { randomBytes } from '../../lib/random.js';
import { type Address, socketPath } from './address.js';

/** What a running server writes about itself into postmaster.pid. */
export interface PidFile {
  readonly pid: number;
  readonly address: Address;
  readonly status: string;
}

export async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  const text = await readFile(pidFilePath(cluster), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const lines = text.split('\n').map((line) => line.trim());
  const [pid, , , port, socketDirectory] = lines;
  const address: Address = socketDirectory
    ? { kind: 'socket', directory: socketDirectory }
    : { kind: 'port', port: Number(port) };
  // A standalone backend writes its pid as a negative number.
  return { pid: Math.abs(Number(pid)), address, status: lines[7] ?? '' };
}

export type Identity = 'gone' | 'another process' | 'this postmaster' | 'unknown';

/** Pids are reused, above all in containers, so a live pid proves nothing: the command line must name this cluster. */
export async function identify(pid: number, cluster: string): Promise<Identity> {
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return 'gone';
  const command = await readCommand(pid);
  if (command === undefined) return isAlive(pid) ? 'unknown' : 'gone';
  // Empty: a zombie, or a kernel thread.
  const [file, ...rest] = command;
  if (!file) return 'another process';
  if (process.platform === 'linux') {
    const isOurs = basename(file) === 'postgres' && rest[rest.indexOf('-D') + 1] === cluster;
    return isOurs ? 'this postmaster' : 'another process';
  }
  return file.includes('postgres') && file.includes(cluster) ? 'this postmaster' : 'another process';
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: alive, another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The child processes of this one. None if that is unknown. */
export async function childrenOf(pid: number): Promise<number[]> {
  if (process.platform === 'win32') return [];
  if (process.platform === 'linux') {
    const entries = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
    const parents = await Promise.all(entries.map(parentOf));
    return entries.filter((_, i) => parents[i] === pid);
  }
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']).catch(() => ({ stdout: '' }));
  const pairs = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  return pairs.flatMap(([child, parent]) => (parent === pid && child ? [child] : []));
}

async function parentOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name in parentheses may itself contain spaces and parentheses; the state and the parent follow the last one.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** The arguments on Linux; the whole line as one string if there is only `ps`; undefined if unknown. */
async function readCommand(pid: number): Promise<string[] | undefined> {
  if (process.platform === 'linux') {
    const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
    return text?.split('\0');
  }
  if (process.platform === 'win32') return undefined;
  const result = await promisify(execFile)('ps', ['-ww', '-o', 'args=', '-p', String(pid)]).catch(() => undefined);
  return result && [result.stdout.trim()];
}

/**
 * PostgreSQL refuses to start while a lock file of its own names a live process of its user, whatever that process is.
 * So files that certainly name something else are removed. They are renamed and checked again, because another service may have
 * started a server in between.
 */
export async function removeStaleLockFiles(cluster: string): Promise<void> {
  for (const path of [pidFilePath(cluster), `${socketPath(cluster)}.lock`]) {
    const text = await readFile(path, 'utf8').catch(() => '');
    const pid = Math.abs(Number.parseInt(text, 10));
    const isStale = text === '' ? await isOldAndEmpty(path) : (await identify(pid, cluster)) === 'another process';
    if (!isStale) continue;
    const taken = `${path}.${randomBytes(6).toString('hex')}`;
    await rename(path, taken);
    if ((await readFile(taken, 'utf8')) !== text) await link(taken, path).catch(() => undefined);
    await rm(taken);
  }
}

// A starting server fills its file at once; after a power cut it stays empty forever.
async function isOldAndEmpty(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && found.size === 0 && systemClock.now().getTime() - found.mtimeMs > emptyPatience;
}
const emptyPatience = 5000;

function pidFilePath(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}
