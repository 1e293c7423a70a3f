import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { cleanups, embeddedIn, expectWord, makeDataDir, storeWord } from '../../../test/embedded.js';
import { findBinaries } from './binaries.js';
import { findBinaryPackage } from './binary-package.js';
import { DataDirInUseError, NoBinariesError } from './index.js';

const isRoot = process.getuid?.() === 0;
const warnings: string[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  warnings.length = 0;
});

function spawnUntilCleanup(...args: Parameters<typeof spawn>): ChildProcess {
  const child = spawn(...args);
  cleanups.push(() => child.kill('SIGKILL'));
  return child;
}

const { start } = embeddedIn(warnings);

it('recognizes stale lock files that name another live process', async () => {
  const dataDir = await makeDataDir('data');
  const first = await start(dataDir);
  await storeWord(first);
  const pidFile = await readFile(join(first.location, 'postmaster.pid'), 'utf8');
  await first.stop();
  // Owned by the database's own user, because PostgreSQL itself ignores the others.
  const { uid, gid } = await stat(first.location);
  const other = spawnUntilCleanup('sleep', ['60'], { uid, gid, cwd: '/', stdio: 'ignore' });
  await once(other, 'spawn');
  for (const pid of [other.pid, process.pid]) {
    const stale = pidFile.replace(/^\d+/, String(pid));
    await writeFile(join(first.location, 'postmaster.pid'), stale);
    await writeFile(join(first.location, '.s.PGSQL.5432.lock'), stale);
    const database = await start(dataDir);
    await expectWord(database);
    await database.stop();
  }
  expect(other.exitCode).toBe(null);
});

it('never starts an empty database if a recorded one is gone', async () => {
  const dataDir = await makeDataDir('data');
  const first = await start(dataDir);
  await first.stop();
  await rm(first.location, { recursive: true });
  await expect(start(dataDir)).rejects.toThrow('it is not there now');
});

it('names the upgrade chapter when the database is of another major version', async () => {
  const dataDir = await makeDataDir('data');
  const first = await start(dataDir);
  await first.stop();
  await writeFile(join(first.location, 'PG_VERSION'), '16\n');
  await expect(start(dataDir)).rejects.toThrow("'Major upgrade' in docs/operations.md");
});

it('says what to set when there are no binaries', async () => {
  const base = await makeDataDir();
  const search = { installed: undefined, base, runAs: undefined, pathVariable: base, debianDirectory: base };
  await expect(findBinaries(search)).rejects.toThrow(NoBinariesError);
  await expect(findBinaries(search)).rejects.toThrow(
    'Set DATABASE_URL to a PostgreSQL 15 or newer, or put its initdb and postgres on PATH',
  );
});

it('makes a copy of the binaries, links included, if the installed ones do not run', async () => {
  const base = await makeDataDir();
  const installed = await findBinaryPackage();
  if (!installed) throw new Error('The tests need the package of binaries.');
  const broken = join(base, 'package');
  await cp(join(installed.root, 'native'), join(broken, 'native'), {
    recursive: true,
    filter: (path) => !/libpq\.so\.5$|libicuuc\.so\.60$/.test(path),
  });
  const search = {
    installed: { root: broken, version: '1' },
    base,
    runAs: undefined,
    pathVariable: '',
    debianDirectory: base,
  };
  const found = await findBinaries(search);
  expect(found).toEqual({ directory: join(base, 'postgres-binaries-1', 'native', 'bin'), major: 18 });
  expect(await findBinaries(search)).toEqual(found);
});

// Only a service started as root runs the database as another user, whom a closed folder can keep out.
it.skipIf(!isRoot)(
  'moves database and binaries out of a folder that its user cannot enter, and stays there',
  async () => {
    const dataDir = await makeDataDir('closed', 'data');
    const closed = dirname(dataDir);
    await mkdir(closed, { mode: 0o700 });
    const first = await start(dataDir);
    const base = dirname(first.location);
    cleanups.splice(-1, 0, () => rm(base, { recursive: true, force: true }));
    expect(first.relocated).toBe(true);
    expect(base).toMatch(/^\/var\/lib\/rapport\/[0-9a-f]{12}$/);
    await storeWord(first);
    await expect(start(dataDir)).rejects.toThrow(DataDirInUseError);
    await first.stop();

    await chmod(closed, 0o755);
    const second = await start(dataDir);
    expect(second.location).toBe(first.location);
    await expectWord(second);
  },
);
