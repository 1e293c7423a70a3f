import { spawnSync } from 'node:child_process';
import { readdir, realpath, rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { type BinaryPackage, binDirectory, copyDirectory, copyPackage, exists } from './binary-package.js';
import { NoBinariesError } from './errors.js';
import { processOptions, type RunAs } from './ownership.js';

export interface Binaries {
  readonly directory: string;
  readonly major: number;
}

const oldestMajor = 15;
const suffix = process.platform === 'win32' ? '.exe' : '';

export function program(directory: string, name: 'initdb' | 'postgres' | 'pg_ctl'): string {
  return join(directory, name + suffix);
}

/** The package in place, or a copy of it under `base`, or else what PATH and Debian's folders have. */
export async function findBinaries(options: {
  installed: BinaryPackage | undefined;
  base: string;
  runAs: RunAs | undefined;
  pathVariable: string;
  debianDirectory?: string;
}): Promise<Binaries> {
  const { installed, base, runAs } = options;
  const tried: string[] = [];
  if (installed) {
    const found = tryRun(binDirectory(installed.root), runAs, tried) ?? (await tryCopy(installed, base, runAs, tried));
    if (found) return found;
  }
  for (const directory of await systemDirectories(
    options.pathVariable,
    options.debianDirectory ?? '/usr/lib/postgresql',
  )) {
    const found = tryRun(directory, runAs, tried);
    if (found && found.major >= oldestMajor) return found;
    if (found) tried.push(`${directory} has PostgreSQL ${found.major}, older than ${oldestMajor}`);
  }
  throw new NoBinariesError(`${process.platform}-${process.arch}`, tried);
}

async function tryCopy(installed: BinaryPackage, base: string, runAs: RunAs | undefined, tried: string[]) {
  const target = copyDirectory(base, installed.version);
  if (await exists(target)) {
    const found = tryRun(binDirectory(target), runAs, tried);
    if (found) return found;
    // A power cut can leave a copy whose files never reached the disk.
    await rm(target, { recursive: true, force: true });
  }
  return tryRun(binDirectory(await copyPackage(installed, base)), runAs, tried);
}

/** A trial run as the same user checks everything at once: path, permissions, libraries, C library, version. */
function tryRun(directory: string, runAs: RunAs | undefined, tried: string[]): Binaries | undefined {
  let version = '';
  for (const name of ['initdb', 'postgres'] as const) {
    const result = spawnSync(program(directory, name), ['--version'], { ...processOptions(runAs), encoding: 'utf8' });
    if (result.status !== 0) {
      tried.push(`${program(directory, name)} (${result.error?.message ?? (result.stderr.trim() || result.signal)})`);
      return undefined;
    }
    version = result.stdout;
  }
  const major = /\(PostgreSQL\) (\d+)/.exec(version)?.[1];
  return major === undefined ? undefined : { directory, major: Number(major) };
}

async function systemDirectories(pathVariable: string, debian: string): Promise<string[]> {
  const majors = (await readdir(debian).catch(() => [])).filter((name) => /^\d+$/.test(name));
  majors.sort((a, b) => Number(b) - Number(a));
  const directories: string[] = [];
  for (const entry of [
    ...pathVariable.split(delimiter).filter(Boolean),
    ...majors.map((major) => join(debian, major, 'bin')),
  ]) {
    // A link on PATH is resolved to the folder where initdb finds its share files.
    const real = await realpath(program(entry, 'postgres')).catch(() => undefined);
    if (real === undefined) continue;
    const directory = dirname(real);
    if (!directories.includes(directory) && (await exists(program(directory, 'initdb')))) directories.push(directory);
  }
  return directories;
}
