import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { randomBytes } from '../../lib/random.js';
import { program } from './binaries.js';
import { type BinaryPackage, binDirectory, exists } from './binary-package.js';
import { canPass, pickRunAs, type RunAs } from './ownership.js';

/** `base` holds the cluster (`base/postgres`), its log, and a copy of the binaries if one is needed. */
interface Location {
  readonly base: string;
  readonly relocated: boolean;
  readonly runAs: RunAs | undefined;
}

const elsewhere = '/var/lib/rapport';

export function clusterDirectory(base: string): string {
  return join(base, 'postgres');
}

export async function hasCluster(base: string): Promise<boolean> {
  return exists(clusterDirectory(base));
}

/**
 * Inside dataDir, or outside if the unprivileged user cannot get there. The first choice is recorded and wins later:
 * a changed folder mode must never start an empty database beside the full one.
 */
export async function chooseLocation(dataDir: string, installed: BinaryPackage | undefined): Promise<Location> {
  const outside = join(elsewhere, createHash('sha256').update(dataDir).digest('hex').slice(0, 12));
  const base = (await recordedBase(dataDir)) ?? (await existingBase([dataDir, outside]));
  if (base !== undefined) {
    const runAs = await pickRunAs(clusterDirectory(base));
    if (!canPass(runAs, base)) throw new Error(closedFolder(base, runAs));
    return { base, relocated: base !== dataDir, runAs };
  }
  const runAs = await pickRunAs(undefined);
  const reachable =
    canPass(runAs, dataDir) && (!installed || canPass(runAs, program(binDirectory(installed.root), 'postgres')));
  if (reachable) return { base: dataDir, relocated: false, runAs };
  await makePassable(outside);
  return { base: outside, relocated: true, runAs };
}

async function recordedBase(dataDir: string): Promise<string | undefined> {
  const file = recordFile(dataDir);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const base = resolve(dataDir, text.trim());
  if (await hasCluster(base)) return base;
  throw new Error(
    `The database of this DATA_DIR was at ${clusterDirectory(base)} (as ${file} says), and it is not there now. ` +
      `Bring it back (a mount, a backup), or delete ${file} to begin with an empty database.`,
  );
}

async function existingBase(candidates: string[]): Promise<string | undefined> {
  for (const candidate of candidates) if (await hasCluster(candidate)) return candidate;
  return undefined;
}

/** Written only once the cluster exists. '.' inside dataDir, so that the folder can be moved as a whole. */
export async function recordLocation(dataDir: string, base: string): Promise<void> {
  const file = recordFile(dataDir);
  if (await exists(file)) return;
  const temporary = `${file}.new-${randomBytes(6).toString('hex')}`;
  await writeFile(temporary, `${base === dataDir ? '.' : base}\n`, { flush: true });
  await rename(temporary, file);
}

function recordFile(dataDir: string): string {
  return join(dataDir, 'postgres-location');
}

async function makePassable(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  // The umask may have restricted what mkdir made.
  await chmod(elsewhere, 0o755);
  await chmod(directory, 0o755);
}

function closedFolder(base: string, runAs: RunAs | undefined): string {
  return (
    `The database is in ${base}, and its user (${runAs?.name}) cannot enter that folder any more. ` +
    `Let it pass (chmod o+x on ${base} and the folders above it).`
  );
}
