// PostgreSQL servers under Patroni and etcd, each with a disk of its own where one may be mounted.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { giveTo } from '../../../server/dist/db/embedded/ownership.js';
import { pidsIn } from '../../../server/test/process/postgres-processes.js';
import { endWithOthers } from '../../../server/test/process/service.js';
import { lastingPort } from './ports.js';
import { hasSafeEtcd3, Program } from './programs.js';
import { etcdArguments, patroniSettings } from './settings.js';

const diskMegabytes = 2048;
const patienceMs = 120_000;
const restMs = 2000;

/**
 * @typedef {import('../../../server/dist/db/embedded/ownership.js').RunAs | undefined} RunAs
 * @typedef {InstanceType<typeof DatabaseNode>} Node
 */

/** A server and the Patroni that looks after it. */
class DatabaseNode {
  /** @param {{ name: string, folder: string, port: number, restPort: number, patroni: Program, hasDisk: boolean }} options */
  constructor({ name, folder, port, restPort, patroni, hasDisk }) {
    this.name = name;
    this.folder = folder;
    this.port = port;
    this.restPort = restPort;
    this.hasDisk = hasDisk;
    this.patroni = patroni;
  }

  get dataDir() {
    return join(this.folder, 'data');
  }

  start() {
    return this.patroni.start();
  }

  /** PostgreSQL alone: Patroni sees it. */
  async killServer() {
    await this.#signalServer('SIGKILL');
  }

  /** As if the machine had lost its power. */
  async kill() {
    const patroni = this.patroni.kill();
    while ((await this.#signalServer('SIGKILL')) > 0) await sleep(10);
    await patroni;
  }

  /** As if the machine stood still, or were cut off. @param {number} ms */
  async pause(ms) {
    this.patroni.signal('SIGSTOP');
    await this.#signalServer('SIGSTOP');
    await sleep(ms);
    await this.resume();
  }

  async resume() {
    await this.#signalServer('SIGCONT');
    this.patroni.signal('SIGCONT');
  }

  /** Leaves no byte. */
  async fillDisk() {
    spawnSync('dd', ['if=/dev/zero', `of=${join(this.folder, 'ballast')}`, 'bs=1M'], { stdio: 'ignore' });
  }

  async emptyDisk() {
    await rm(join(this.folder, 'ballast'), { force: true });
  }

  /** @param {string} text @returns {Promise<any[]>} */
  async query(text) {
    const client = new pg.Client({
      ...{ host: '127.0.0.1', port: this.port, user: 'rapport', database: 'postgres' },
      ...{ connectionTimeoutMillis: 2000, query_timeout: 2000 },
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query(text)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** Whether it takes writes. */
  isPrimary() {
    return this.query('select pg_is_in_recovery() as is_standby').then(
      ([row]) => !row.is_standby,
      () => false,
    );
  }

  /** @param {NodeJS.Signals} name */
  async #signalServer(name) {
    const pids = (await pidsIn(this.dataDir)) ?? [];
    for (const pid of pids) {
      try {
        process.kill(pid, name);
      } catch {
        // It has ended.
      }
    }
    return pids.length;
  }
}

/**
 * @param {{ folder: string, count: number, runAs: RunAs, programs: import('./programs.js').Programs }} options
 */
export async function startDatabase({ folder, count, runAs, programs }) {
  const etcd = await startEtcd({ folder, runAs, programs });
  /** @type {DatabaseNode[]} */ const nodes = [];
  for (let i = 1; i <= count; i++) nodes.push(await makeNode({ name: `node${i}`, folder, runAs, programs, etcd }));
  const [first, ...others] = /** @type {[DatabaseNode, ...DatabaseNode[]]} */ (nodes);
  await first.start();
  await until('the first server is the primary', () => first.isPrimary());
  await first.query('create database rapport');
  await Promise.all(others.map((node) => node.start()));
  await untilWhole(nodes);
  return nodes;
}

/**
 * What it stores is flushed at once. On a disk that others keep busy this can take longer than a leader's key lasts.
 * @param {{ folder: string, runAs: RunAs, programs: import('./programs.js').Programs }} options
 */
async function startEtcd({ folder, runAs, programs }) {
  const [port, peerPort] = [await lastingPort(), await lastingPort()];
  const { own, unmount } = await makeDisk(join(folder, 'etcd'), runAs);
  const isVersion3 = hasSafeEtcd3(programs.patroni);
  const args = etcdArguments({ clientPort: port, peerPort, dataDir: own, isVersion3 });
  const etcd = new Program({ file: programs.etcd, args, runAs, port, log: join(folder, 'etcd.log') });
  endWithOthers({ kill: () => etcd.kill().finally(unmount) });
  await etcd.start();
  return { port, isVersion3 };
}

/** @param {{ name: string, folder: string, etcd: { port: number, isVersion3: boolean }, runAs: RunAs, programs: import('./programs.js').Programs }} options */
async function makeNode({ name, folder, etcd, runAs, programs }) {
  const { own, hasDisk, unmount } = await makeDisk(join(folder, name), runAs);
  const [port, restPort] = [await lastingPort(), await lastingPort()];
  const dataDir = join(own, 'data');
  const file = join(folder, `${name}.yml`);
  await writeFile(file, patroniSettings({ name, port, restPort, etcd, dataDir, binDir: dirname(programs.postgres) }));
  const log = join(folder, `${name}.log`);
  const patroni = new Program({ file: programs.patroni, args: [file], log, runAs, port: restPort });
  const node = new DatabaseNode({ name, folder: own, port, restPort, patroni, hasDisk });
  endWithOthers({
    kill: async () => {
      await node.resume();
      await node.kill();
      unmount();
    },
  });
  return node;
}

/**
 * A folder with a file system of its own, in memory, where one may be mounted.
 * @param {string} own
 * @param {RunAs} runAs
 */
async function makeDisk(own, runAs) {
  await mkdir(own, { mode: 0o700 });
  const hasDisk = mount(own);
  await giveTo(runAs, own);
  const unmount = () => {
    if (hasDisk) spawnSync('umount', [own]);
  };
  return { own, hasDisk, unmount };
}

/** It can be full. Only root may have one. @param {string} folder */
function mount(folder) {
  if (process.getuid?.() !== 0 || !existsSync('/proc/mounts')) return false;
  const options = ['-t', 'tmpfs', '-o', `size=${diskMegabytes}m,mode=0700`, 'tmpfs', folder];
  return spawnSync('mount', options, { stdio: 'ignore' }).status === 0;
}

/**
 * One primary, and all others follow it. One of them has every commit, and Patroni has noted which: while it changes its mind about that, it
 * promotes none.
 * @param {DatabaseNode[]} nodes
 */
export async function untilWhole(nodes) {
  const following = `select count(*)::int as n, count(*) filter (where sync_state in ('sync', 'quorum'))::int as sync
    from pg_stat_replication where state = 'streaming' and application_name like 'node%'`;
  try {
    await until('all servers follow the primary', async () => {
      const primary = await primaryOf(nodes);
      const [row] = (await primary?.query(following).catch(() => [])) ?? [];
      return row?.n === nodes.length - 1 && row?.sync > 0 && (await hasNoted(primary));
    });
  } catch (error) {
    throw new Error([error instanceof Error ? error.message : error, ...nodes.map(lastWords)].join('\n'));
  }
}

/** The end of what Patroni and PostgreSQL logged. @param {DatabaseNode} node */
function lastWords({ name, patroni }) {
  const lines = readFileSync(patroni.options.log, 'utf8').trimEnd().split('\n').slice(-25);
  return `${name}:\n  ${lines.join('\n  ')}`;
}

/**
 * Whether Patroni would promote a standby now.
 * @param {DatabaseNode | undefined} primary
 */
async function hasNoted(primary) {
  const address = `http://127.0.0.1:${primary?.restPort}/cluster`;
  /** @type {{ members?: { role: string }[] }} */
  const cluster = await fetch(address, { signal: AbortSignal.timeout(restMs) }).then(
    async (response) => /** @type {any} */ (await response.json()),
    () => ({}),
  );
  return cluster.members?.some(({ role }) => role === 'sync_standby') ?? false;
}

/** @param {DatabaseNode[]} nodes */
export async function primaryOf(nodes) {
  const primaries = await Promise.all(nodes.map((node) => node.isPrimary()));
  return nodes.find((_, i) => primaries[i]);
}

/**
 * @param {string} what
 * @param {() => Promise<boolean>} holds
 * @param {number} [pauseMs]
 */
export async function until(what, holds, pauseMs = 100) {
  const end = performance.now() + patienceMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`${patienceMs / 1000} s have passed, and still not: ${what}`);
    await sleep(pauseMs);
  }
}
