// The servers of the cluster are those of the system. Each runs as a process of its own, as an ordinary user, and can be killed, paused and started again.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, openSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processOptions } from '../../../server/dist/db/embedded/ownership.js';

// Debian keeps some of them where only root looks.
const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin'];
const postgresVersions = [18, 17, 16, 15];

/** @param {string[]} places */
const firstExecutable = (places) =>
  places.find((place) => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/** @param {string} name */
const find = (name) => firstExecutable(folders.map((folder) => join(folder, name)));

/** Where each program is, and the names of those that are missing. */
export function findPrograms() {
  const postgres = firstExecutable(postgresVersions.map((version) => `/usr/lib/postgresql/${version}/bin/postgres`));
  const found = {
    patroni: find('patroni'),
    etcd: find('etcd'),
    haproxy: find('haproxy'),
    pgbouncer: find('pgbouncer'),
    'redis-server': find('redis-server'),
    postgres,
  };
  const missing = Object.entries(found).flatMap(([name, file]) => (file === undefined ? [name] : []));
  return { programs: /** @type {Record<keyof typeof found, string>} */ (found), missing };
}

/** @typedef {ReturnType<typeof findPrograms>['programs']} Programs */

/**
 * Whether this PgBouncer keeps named statements in transaction mode.
 * @param {string} file
 */
export function keepsStatements(file) {
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(String(spawnSync(file, ['--version']).stdout)) ?? [];
  return Number(major) * 1000 + Number(minor) >= 1021;
}

/**
 * Whether this Patroni works safely with version 3 of etcd's protocol. Before 3.1 it decides by a copy that may be old, and overwrites the key of
 * the leader without a look: a primary that was frozen takes the lead back from the one that was promoted meanwhile (its changes 2689 and 2783).
 * @param {string} file
 */
export function hasSafeEtcd3(file) {
  const [, major, minor] = /patroni (\d+)\.(\d+)/.exec(String(spawnSync(file, ['--version']).stdout)) ?? [];
  return Number(major) * 1000 + Number(minor) >= 3001;
}

/** A program that is started again with the same arguments. What it says goes to a file. */
export class Program {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;
  /** @type {Promise<unknown>} */
  #ended = Promise.resolve();

  /** @param {{ file: string, args: string[], log: string, runAs: import('../../../server/dist/db/embedded/ownership.js').RunAs | undefined, port: number }} options */
  constructor(options) {
    this.options = options;
  }

  get pid() {
    return this.#child?.pid;
  }

  /** Resolves once its port takes connections. */
  async start() {
    const { file, args, log, runAs, port } = this.options;
    const output = openSync(log, 'a');
    const child = spawn(file, args, { ...processOptions(runAs), stdio: ['ignore', output, output] });
    this.#child = child;
    this.#ended = new Promise((resolve) => child.once('close', resolve));
    child.once('error', () => undefined);
    while (!(await answers(port))) {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`${file} ended with ${child.exitCode ?? child.signalCode}; see ${log}`);
      await sleep(20);
    }
  }

  /** @param {NodeJS.Signals} name */
  signal(name) {
    this.#child?.kill(name);
  }

  async kill() {
    this.signal('SIGKILL');
    await this.#ended;
  }

  /** @param {number} ms */
  async pause(ms) {
    this.signal('SIGSTOP');
    await sleep(ms);
    this.signal('SIGCONT');
  }
}

/**
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
