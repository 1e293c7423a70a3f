// The big place: three PostgreSQL servers under Patroni, PgBouncer, Redis, two API nodes behind HAProxy, two workers, which send mail too.
// All of it on loopback, as processes of this machine.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pickRunAs } from '../../../server/dist/db/embedded/ownership.js';
import { endWithOthers, makeDataDir, startService } from '../../../server/test/process/service.js';
import { Clock, canJump } from './clocks.js';
import { startDatabase } from './database.js';
import { dealFaults } from './faults.js';
import { lastingPorts } from './ports.js';
import { findPrograms, keepsStatements, Program } from './programs.js';
import { haproxySettings, pgBouncerSettings } from './settings.js';

const databaseNodes = 3;
const roles = /** @type {const} */ (['api', 'api', 'worker', 'worker']);

/** @typedef {Awaited<ReturnType<typeof startAll>>} Cluster */

/**
 * @param {{ only?: string[] | undefined, leaseMs: number }} options `only`: faults with these names.
 * @returns {import('../under-fire.js').Open}
 */
export function clusterPlace({ only, leaseMs }) {
  return async ({ env, say }) => {
    const cluster = await startAll(env, say);
    const faults = dealFaults(cluster, { only, leaseMs, say });
    return {
      ...{ url: cluster.url, dataDir: cluster.dataDir, connection: cluster.connection },
      join: async () => undefined,
      strike: (random) => faults.next(random),
      heal: () => faults.healed(),
      stop: async () => {
        await Promise.all(cluster.services.map((service) => service.current.stop()));
      },
      // `cleanUp` ends it all.
      close: async () => undefined,
    };
  };
}

/**
 * @param {Record<string, string>} env
 * @param {(line: string) => void} say
 */
async function startAll(env, say) {
  const { programs } = findPrograms();
  const folder = await makeDataDir();
  const runAs = await pickRunAs(undefined);
  const nodes = await startDatabase({ folder, count: databaseNodes, runAs, programs });
  const [apiPort, primaryPort, replicaPort, bouncerPort, redisPort] = await lastingPorts(5);
  const servicePorts = await lastingPorts(roles.length);
  const apiNodes = servicePorts.filter((_, i) => roles[i] === 'api');
  const program = async (
    /** @type {keyof typeof programs} */ name,
    /** @type {number} */ port,
    /** @type {string} */ settings,
    /** @type {(file: string) => string[]} */ args,
  ) => {
    const file = join(folder, `${name}.conf`);
    await writeFile(file, settings);
    const made = new Program({ file: programs[name], args: args(file), log: join(folder, `${name}.log`), runAs, port });
    endWithOthers(made);
    await made.start();
    return made;
  };
  const isTransactionMode = keepsStatements(programs.pgbouncer);
  const haproxy = haproxySettings({ apiPort, primaryPort, replicaPort, apiNodes, nodes });
  await program('haproxy', primaryPort, haproxy, (file) => ['-db', '-f', file]);
  const pooler = pgBouncerSettings({ port: bouncerPort, primaryPort, isTransactionMode });
  const bouncer = await program('pgbouncer', bouncerPort, pooler, (file) => ['-q', file]);
  const budget = `port ${redisPort}\nbind 127.0.0.1\nsave ""\nappendonly no\n`;
  const redis = await program('redis-server', redisPort, budget, (file) => [file]);
  const version = isTransactionMode ? 'transaction' : 'session';
  say(
    `${nodes.length} databases, PgBouncer in ${version} mode${isTransactionMode ? '' : ' (before 1.21 it cannot do more)'}`,
  );
  if (!canJump) say('no clock jumps: libfaketime is not installed');
  const dataDir = folder;
  const at = (/** @type {number} */ port) => `127.0.0.1:${port}`;
  const common = {
    DATABASE_URL: `postgres://rapport@${at(bouncerPort)}/rapport`,
    DATABASE_DIRECT_URL: `postgres://rapport@${nodes.map(({ port }) => at(port)).join(',')}/rapport`,
    DATABASE_REPLICA_URL: `postgres://rapport@${at(replicaPort)}/rapport`,
    ...{ REDIS_URL: `redis://${at(redisPort)}`, TRUSTED_PROXIES: '127.0.0.1', DEMO: 'off', LOG_LEVEL: 'error', ...env },
  };
  const services = [];
  for (const [i, role] of roles.entries()) {
    const clock = new Clock(join(folder, `clock${i}`));
    const own = { ROLE: role, PORT: String(servicePorts[i]), ...clock.env };
    const start = () => startService({ dataDir, env: { ...common, ...own } });
    services.push(new Node(role, clock, start, await start()));
  }
  const connection = { host: '127.0.0.1', port: primaryPort, user: 'rapport', password: '', database: 'rapport' };
  return { url: `http://${at(apiPort)}`, dataDir, connection, nodes, services, bouncer, redis };
}

/** A process of the service that is started again when it is killed. */
class Node {
  /**
   * @param {'api' | 'worker'} role
   * @param {Clock} clock
   * @param {() => Promise<import('../../../server/test/process/service.js').Service>} start
   * @param {import('../../../server/test/process/service.js').Service} current
   */
  constructor(role, clock, start, current) {
    this.role = role;
    this.clock = clock;
    this.start = start;
    this.current = current;
  }

  async restart() {
    await this.current.kill();
    this.current = await this.start();
  }
}
