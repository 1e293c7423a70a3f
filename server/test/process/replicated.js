// A primary with a standby that follows it, both real, on loopback. The standby confirms every commit.
// Plain JavaScript, because scripts/prove runs it without a test runner.
import { execFile, spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { findBinaries, program } from '../../dist/db/embedded/binaries.js';
import { findBinaryPackage } from '../../dist/db/embedded/binary-package.js';
import { giveTo, pickRunAs, processOptions } from '../../dist/db/embedded/ownership.js';
import { makeDataDir } from './service.js';

const run = promisify(execFile);

/**
 * @typedef {object} Server
 * @property {number} port
 * @property {string} host As an address names it.
 * @property {string} url
 * @property {(text: string) => Promise<any[]>} query As an administrator.
 * @property {() => Promise<void>} start
 * @property {(signal?: NodeJS.Signals) => Promise<void>} stop SIGQUIT ends it without a word, as a power cut does.
 * @property {(signal: NodeJS.Signals) => void} signal
 */

export async function startReplicated() {
  const folder = await makeDataDir();
  const runAs = await pickRunAs(undefined);
  const installed = await findBinaryPackage();
  const pathVariable = process.env.PATH ?? '';
  const binaries = await findBinaries({ installed, base: folder, runAs, pathVariable });
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  await mkdir(first, { mode: 0o700 });
  await giveTo(runAs, first);
  const options = ['-D', first, '-U', 'rapport', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
  await run(program(binaries.directory, 'initdb'), options, processOptions(runAs));
  const make = async (/** @type {string} */ directory) =>
    serverIn(directory, program(binaries.directory, 'postgres'), runAs, await freePort());
  const primary = await make(first);
  await primary.start();
  await primary.query('create database rapport');
  await primary.stop();
  // A copy of a server that was stopped is one that has caught up.
  await run('cp', ['-a', first, second]);
  const standby = await make(second);
  await writeFile(join(second, 'standby.signal'), '');
  const follow = `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=rapport application_name=second'\n`;
  await writeFile(join(second, 'postgresql.auto.conf'), follow);
  await Promise.all([primary.start(), standby.start()]);
  await primary.query("alter system set synchronous_standby_names = 'second'");
  await primary.query('select pg_reload_conf()');
  while ((await primary.query("select from pg_stat_replication where sync_state = 'sync'")).length === 0)
    await sleep(20);
  return { primary, standby };
}

/**
 * @param {string} directory
 * @param {string} file
 * @param {import('../../dist/db/embedded/ownership.js').RunAs | undefined} runAs
 * @param {number} port
 * @returns {Server}
 */
function serverIn(directory, file, runAs, port) {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child;
  /** @type {Promise<unknown>} */
  let ended = Promise.resolve();
  const host = `127.0.0.1:${port}`;
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    max_connections: 60,
  };

  const query = async (/** @type {string} */ text, database = 'rapport') => {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'rapport', database });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query(text)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  const start = async () => {
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const own = spawn(file, ['-D', directory, ...args], { ...processOptions(runAs), stdio: 'ignore' });
    child = own;
    ended = new Promise((resolve) => own.once('close', resolve));
    while (!(await query('select 1', 'postgres').then(Boolean, () => false))) {
      if (own.exitCode !== null) throw new Error(`PostgreSQL in ${directory} ended with ${own.exitCode}`);
      await sleep(20);
    }
  };
  const signal = (/** @type {NodeJS.Signals} */ name) => void child?.kill(name);
  const stop = async (/** @type {NodeJS.Signals} */ name = 'SIGINT') => {
    signal(name);
    await ended;
  };
  const databaseFor = (/** @type {string} */ text) => (text.startsWith('create database') ? 'postgres' : 'rapport');
  return {
    ...{ port, host, start, stop, signal },
    url: `postgres://rapport@${host}/rapport`,
    query: (text) => query(text, databaseFor(text)),
  };
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  await new Promise((resolve) => server.close(resolve));
  return port;
}
