import { stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import { cleanups, embeddedIn, expectWord, makeDataDir, query, storeWord } from '../../../test/embedded.js';
import { chooseAddress } from './address.js';
import { findBinaries } from './binaries.js';
import { findBinaryPackage } from './binary-package.js';
import { DataDirInUseError, type EmbeddedPostgres } from './index.js';
import { chooseLocation } from './location.js';
import { isAlive } from './pid-file.js';
import { spawnPostmaster } from './postmaster.js';

const warnings: string[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  warnings.length = 0;
});

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

const { start } = embeddedIn(warnings);

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
  await expect(start(dataDir)).rejects.toThrow(DataDirInUseError);
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

it('takes its lock back if only the connection that held it is lost', async () => {
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
  await eventually(async () => expect(warnings).toContain('the embedded PostgreSQL ended unexpectedly'));
  await database.stop();
  expect(isAlive(database.pid)).toBe(false);
});

it('stops the orphan of a killed service cleanly and has its committed rows', async () => {
  const dataDir = await makeDataDir('data');
  const first = await start(dataDir);
  await storeWord(first);
  await first.stop();
  // A server whose lock is free: what a service that was killed with kill -9 leaves behind.
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
