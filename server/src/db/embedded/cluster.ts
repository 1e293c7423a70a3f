import { execFile } from 'node:child_process';
import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { randomBytes } from '../../lib/random.js';
import { type Binaries, program } from './binaries.js';
import { exists } from './binary-package.js';
import { discard } from './discard.js';
import { lastLines } from './errors.js';
import { clusterDirectory, hasCluster } from './location.js';
import { giveTo, processOptions, type RunAs } from './ownership.js';

export const superuser = 'rapport';
const passwordFile = 'rapport-password';
const run = promisify(execFile);

/**
 * Creates the cluster unless it exists; calls `meanwhile` once that has begun. It becomes visible by one rename, with the password inside, so a
 * crash leaves nothing half made, and two services that start together both end up with the cluster and password of one of them.
 */
export async function ensureCluster(
  base: string,
  binaries: Binaries,
  runAs: RunAs | undefined,
  meanwhile?: () => void,
): Promise<string> {
  const directory = clusterDirectory(base);
  if (await hasCluster(base)) return directory;
  const temporary = join(base, `postgres.new-${randomBytes(6).toString('hex')}`);
  try {
    await initialize(temporary, binaries, runAs, meanwhile);
    await rename(temporary, directory);
    await syncDirectory(base);
  } catch (error) {
    // Another service was faster (and may have removed ours): its cluster counts.
    if (!(await hasCluster(base))) throw error;
  } finally {
    await discard(temporary);
    await discard(`${temporary}.password`);
  }
  return directory;
}

async function initialize(
  directory: string,
  binaries: Binaries,
  runAs: RunAs | undefined,
  meanwhile?: () => void,
): Promise<void> {
  const password = randomBytes(24).toString('base64url');
  // Beside the folder, not in it: initdb requires an empty folder.
  const handedOver = `${directory}.password`;
  await mkdir(directory, { mode: 0o700 });
  await giveTo(runAs, directory);
  await writeFile(handedOver, `${password}\n`, { mode: 0o600, flag: 'wx' });
  await giveTo(runAs, handedOver);
  await runInitdb(directory, handedOver, binaries, runAs, meanwhile);
  const kept = join(directory, passwordFile);
  await writeFile(kept, `${password}\n`, { mode: 0o600, flag: 'wx', flush: true });
  await giveTo(runAs, kept);
  await syncDirectory(directory);
}

async function runInitdb(
  directory: string,
  password: string,
  binaries: Binaries,
  runAs: RunAs | undefined,
  meanwhile?: () => void,
) {
  const fixed = [
    ...['-D', directory, '-U', superuser, `--pwfile=${password}`, '--auth=scram-sha-256'],
    ...['--encoding=UTF8', '--text-search-config=simple', '--data-checksums', '--no-instructions'],
  ];
  let failure: unknown;
  for (const locale of locales(binaries.major)) {
    try {
      const initdb = run(program(binaries.directory, 'initdb'), [...fixed, ...locale], processOptions(runAs));
      meanwhile?.();
      await initdb;
      return;
    } catch (error) {
      failure = error;
    }
  }
  const { stderr, message } = failure as Error & { stderr?: string };
  throw new Error(`initdb could not create the database in ${directory}:\n${lastLines(stderr || message)}`, {
    cause: failure,
  });
}

/** Code point order everywhere. Before 17 it depends on the C library, which may lack C.UTF-8: then C. */
function locales(major: number): string[][] {
  if (major >= 17) return [['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']];
  return [['--locale=C.UTF-8'], ['--locale=C']];
}

/** Without this a power cut could undo the rename. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(directory);
  await handle.sync().finally(() => handle.close());
}

export async function requireMajor(cluster: string, binaries: Binaries): Promise<void> {
  const found = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  if (found === String(binaries.major)) return;
  throw new Error(
    `The database in ${cluster} was made by PostgreSQL ${found}, and the binaries here are PostgreSQL ${binaries.major}. ` +
      "See 'Major upgrade' in docs/operations.md.",
  );
}

export async function readPassword(cluster: string): Promise<string> {
  const file = join(cluster, passwordFile);
  if (!(await exists(file)))
    throw new Error(`The database's password file ${file} is missing. Restore it from a backup.`);
  return (await readFile(file, 'utf8')).trim();
}
