import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, expect, it, vi } from 'vitest';
import { chooseAddress } from './address.js';
import { findBinaries } from './binaries.js';
import { findBinaryPackage } from './binary-package.js';
import { DataDirInUseError, type EmbeddedPostgres, NoBinariesError, startEmbeddedPostgres } from './index.js';
import { chooseLocation } from './location.js';
import { isAlive } from './pid-file.js';
import { spawnPostmaster } from './postmaster.js';

// initdb and real shutdowns: up to 3 s a test, more on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const isRoot = process.getuid?.() === 0;
const warnings: string[] = [];
const log = { info: () => undefined, warn: (_: object, message: string) => void warnings.push(message) };
const cleanups: (() => Promise<unknown> | unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  warnings.length = 0;
});

async function makeDataDir(...below: string[]): Promise<string> {
  const root = await mkdtemp('/tmp/rapport-embedded-');
  await chmod(root, 0o755);
  cleanups.push(() => rm(root, { recursive: true, force: true }));
  return join(root, ...below);
}

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const database = await startEmbeddedPostgres({ dataDir, log });
  cleanups.push(() => database.stop());
  return database;
}

async function query(database: EmbeddedPostgres, text: string): Promise<unknown[]> {
  const client = new pg.Client(database.connection);
  client.on('error', () => undefined);
  await client.connect();
  return client.query(text).then(
    async ({ rows }) => {
      await client.end();
      return rows;
    },
    async (error) => {
      await client.end();
      throw error;
    },
  );
}

async function storeWord(database: EmbeddedPostgres): Promise<void> {
  await query(database, "create table word (text text); insert into word values ('kept')");
}

async function expectWord(database: EmbeddedPostgres): Promise<void> {
  expect(await query(database, 'select text from word')).toEqual([{ text: 'kept' }]);
}

async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  const end = performance.now() + 10_000;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > end) throw error;
      await sleep(20);
    }
  }
}

function spawnUntilCleanup(...args: Parameters<typeof spawn>): ChildProcess {
  const child = spawn(...args);
  cleanups.push(() => child.kill('SIGKILL'));
  return child;
}

it('keeps its rows from the first start to the second', async () => {
  const dataDir = await makeDataDir('data');
  const first = await start(dataDir);
  await storeWord(first);
  const { pid } = first;
  await Promise.all([first.stop(), first.stop()]);
  expect(isAlive(pid)).toBe(false);

  const second = await start(dataDir);
  await expectWord(second);
  expect(second).toMatchObject({ relocated: false, location: join(dataDir, 'postgres') });
});

it('serves UTF-8 in code point order, durably, with scram passwords only', async () => {
  const database = await start(await makeDataDir('data'));
  const [row] = await query(
    database,
    `select current_setting('server_encoding') as encoding, current_setting('fsync') as fsync,
            current_setting('synchronous_commit') as commit, current_setting('data_checksums') as checksums,
            'Z' < 'a' as code_points, upper('ä') as upper`,
  );
  expect(row).toEqual({ encoding: 'UTF8', fsync: 'on', commit: 'on', checksums: 'on', code_points: true, upper: 'Ä' });
  const stranger = new pg.Client({ ...database.connection, password: 'wrong' });
  await expect(stranger.connect()).rejects.toThrow('password authentication failed');
  const file = await stat(join(database.location, 'rapport-password'));
  expect(file.mode & 0o777).toBe(0o600);
});

it('refuses a second service on the same data directory while the first keeps serving', async () => {
  const dataDir = await makeDataDir('data');
  const first = await start(dataDir);
  await storeWord(first);
  const { pid } = first;
  const refusal = await start(dataDir).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(DataDirInUseError);
  expect(String(refusal)).toContain(`Another Rapport service is running on this DATA_DIR (${dataDir})`);
  expect(first.pid).toBe(pid);
  await expectWord(first);
  expect(warnings).toEqual([]);
});

it('lets exactly one of two services win that start together on an empty data directory', async () => {
  const dataDir = await makeDataDir('data');
  const results = await Promise.allSettled([start(dataDir), start(dataDir)]);
  const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const lost = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  expect(lost).toEqual([expect.any(DataDirInUseError)]);
  await storeWord(won[0] as EmbeddedPostgres);
  await sleep(300);
  await expectWord(won[0] as EmbeddedPostgres);
  expect(warnings).toEqual([]);
});

it('lets exactly one of two services win that start together on an existing database', async () => {
  const dataDir = await makeDataDir('data');
  const first = await start(dataDir);
  await storeWord(first);
  await first.stop();
  const results = await Promise.allSettled([start(dataDir), start(dataDir)]);
  const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const lost = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  expect(lost).toEqual([expect.any(DataDirInUseError)]);
  await expectWord(won[0] as EmbeddedPostgres);
});

it('starts on a lock file that a power cut left empty', async () => {
  const dataDir = await makeDataDir('data');
  const first = await start(dataDir);
  await storeWord(first);
  await first.stop();
  const lockFile = join(first.location, 'postmaster.pid');
  await writeFile(lockFile, '');
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(lockFile, longAgo, longAgo);
  await expectWord(await start(dataDir));
});

it('comes back by itself, on the same address, after kill -9 of the database', async () => {
  const dataDir = await makeDataDir('data');
  const database = await start(dataDir);
  await storeWord(database);
  for (let round = 0; round < 2; round += 1) {
    const { pid } = database;
    process.kill(pid, 'SIGKILL');
    await eventually(async () => expect(database.pid).not.toBe(pid));
    await eventually(() => expectWord(database));
  }
  expect(warnings).toContain('the embedded PostgreSQL ended unexpectedly');
  await expect(start(dataDir)).rejects.toThrow(DataDirInUseError);
});

it('takes its lock back when only the connection that held it is lost', async () => {
  const dataDir = await makeDataDir('data');
  const database = await start(dataDir);
  const { pid } = database;
  await query(
    database,
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'rapport guard'",
  );
  await expect(start(dataDir)).rejects.toThrow(DataDirInUseError);
  expect(database.pid).toBe(pid);
  expect(isAlive(pid)).toBe(true);
});

it('stops at once while it is restarting the database', async () => {
  const database = await start(await makeDataDir('data'));
  process.kill(database.pid, 'SIGKILL');
  await sleep(30);
  await database.stop();
  expect(isAlive(database.pid)).toBe(false);
});

it('stops the orphan of a killed service cleanly and has its committed rows', async () => {
  const dataDir = await makeDataDir('data');
  const first = await start(dataDir);
  await storeWord(first);
  await first.stop();
  // A server that nobody holds the lock of: what a service leaves behind that was killed with kill -9.
  const installed = await findBinaryPackage();
  const { base, runAs } = await chooseLocation(dataDir, installed);
  const binaries = await findBinaries({ installed, base, runAs, pathVariable: '' });
  const spec = { cluster: first.location, logPath: join(base, 'postgres.log'), binaries, runAs };
  const orphan = await spawnPostmaster(spec, await chooseAddress(first.location));
  cleanups.push(() => orphan.stop());
  await orphan.ready(new AbortController().signal);
  await query(first, "insert into word values ('orphaned')");

  const second = await start(dataDir);
  expect(orphan.isRunning()).toBe(false);
  expect(second.pid).not.toBe(orphan.pid);
  expect(warnings).toEqual(['stopping the embedded PostgreSQL that a killed service left behind']);
  expect(await query(second, 'select text from word')).toEqual([{ text: 'kept' }, { text: 'orphaned' }]);
});

it('listens on the loopback interface when the path is too long for a socket', async () => {
  const dataDir = await makeDataDir('a-rather-long-name'.repeat(4), 'another-long-name'.repeat(4));
  const database = await start(dataDir);
  expect(database.connection.host).toBe('127.0.0.1');
  await storeWord(database);
  await expect(start(dataDir)).rejects.toThrow(DataDirInUseError);
  const { pid } = database;
  process.kill(pid, 'SIGKILL');
  await eventually(async () => expect(database.pid).not.toBe(pid));
  await eventually(() => expectWord(database));
});

it('accepts blanks, commas and quotes in the path', async () => {
  const database = await start(await makeDataDir(`it's a "data", dir`));
  expect(database.connection.host).toBe(database.location);
  await storeWord(database);
  await expectWord(database);
});

it('recognizes stale lock files that name another live process', async () => {
  const dataDir = await makeDataDir('data');
  const first = await start(dataDir);
  await storeWord(first);
  const pidFile = await readFile(join(first.location, 'postmaster.pid'), 'utf8');
  await first.stop();
  // Of the database's own user, because PostgreSQL ignores the others itself.
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

it('never begins anew where a database was recorded and is gone', async () => {
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

it('makes a copy of the binaries, links included, where the installed ones do not run', async () => {
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

// Only root lends the database another user, whom a closed folder can keep out.
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
