// What the proofs kill: one API process and two workers on one embedded database that the proof itself runs. They may begin as an older build:
// a killed process comes back as this build, as in a rolling upgrade.
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../bench/free-port.js';
import { startEmbeddedPostgres } from '../../server/dist/db/embedded/index.js';
import { cleanUp, makeDataDir, startService } from '../../server/test/process/service.js';
import { makeTenant } from '../../server/test/process/tenant.js';

const longestLifeMs = 800;
const silent = { info: () => undefined, warn: () => undefined };

/**
 * @typedef {{ run: () => Promise<void>, stop: () => void, acknowledged: number }} Member Sends until it is stopped.
 * @typedef {{ url: string, token: string, tenantId: number, dataDir: string, connection: import('pg').ClientConfig }} Place
 * @typedef {{ workers: number, databases: number }} Kills How many workers were killed, and how often the database.
 */

/**
 * Lets a crew send while something is killed each round, then checks the result.
 * @template {Member} M
 * @param {{ rounds: number, say: (line: string) => void, older?: string[] | undefined }} options `older`: the command of an older build.
 * @param {{ what: string, hire: (place: Place) => Promise<M[]>, compare: (place: Place, crew: M[], kills: Kills) => Promise<string[]>,
 *   env?: Record<string, string>, onRound?: (round: number) => Promise<void>, random?: () => number }} proof `env` of every process; a round begins once `onRound` has resolved.
 * @returns {Promise<{ summary: string, problems: string[] }>}
 */
export async function proveUnderFire({ rounds, say, older }, proof) {
  const { what, hire, compare, env = {}, onRound = async () => undefined, random = Math.random } = proof;
  const dataDir = await makeDataDir();
  // In this process, so that it outlives the services; it restarts itself when it is killed.
  const database = await startEmbeddedPostgres({ dataDir, log: silent });
  try {
    const cluster = await startCluster(dataDir, database, env, older);
    const { token, tenantId } = await makeTenant({ url: cluster.url, dataDir });
    const place = { url: cluster.url, token, tenantId, dataDir, connection: database.connection };
    const kills = { workers: 0, databases: 0 };
    const crew = await hire(place);
    const acknowledged = () => crew.reduce((sum, member) => sum + member.acknowledged, 0);
    const sending = Promise.all(crew.map((member) => member.run()));
    // Beside the others, which are running: if it is a newer build, it migrates under them.
    await cluster.join();
    for (let round = 1; round <= rounds; round++) {
      await onRound(round);
      await sleep(100 + random() * longestLifeMs);
      const { name, workers, databases } = await cluster.killSome(random());
      kills.workers += workers;
      kills.databases += databases;
      say(`round ${round}: killed ${name}; ${acknowledged()} ${what} acknowledged so far`);
    }
    for (const member of crew) member.stop();
    await sending;
    const problems = await compare(place, crew, kills);
    await cluster.stop();
    return { summary: `${acknowledged()} acknowledged ${what} in ${rounds} rounds`, problems };
  } finally {
    await cleanUp();
    await database.stop();
  }
}

/**
 * One API process and two workers on one database.
 * @param {string} dataDir
 * @param {import('../../server/dist/db/embedded/index.js').EmbeddedPostgres} database
 * @param {Record<string, string>} env
 * @param {string[] | undefined} older
 */
async function startCluster(dataDir, database, env, older) {
  const { host, port, user, password, database: name } = database.connection;
  const address = host.startsWith('/')
    ? `@/${name}?host=${encodeURIComponent(host)}&port=${port}`
    : `@${host}:${port}/${name}`;
  const common = { DATABASE_URL: `postgres://${user}:${password}${address}`, DEMO: 'off', LOG_LEVEL: 'error', ...env };
  const apiPort = String(await freePort());
  const roles = [
    { ROLE: 'api', PORT: apiPort },
    { ROLE: 'worker', PORT: '0' },
    { ROLE: 'worker', PORT: '0' },
  ];
  /** @type {import('../../server/test/process/service.js').Service[]} */
  const services = [];
  for (const role of roles.slice(0, 2))
    services.push(await startService({ dataDir, env: { ...common, ...role }, ...(older ? { command: older } : {}) }));
  /** @param {number} i */
  const restart = async (i) => {
    services[i]?.signal('SIGKILL');
    await services[i]?.exited;
    services[i] = await startService({ dataDir, env: { ...common, ...roles[i] } });
  };
  const killDatabase = () => {
    try {
      process.kill(database.pid, 'SIGKILL');
    } catch {
      // Still down from the last time.
    }
  };
  const choices = [
    { name: 'the API', workers: 0, databases: 0, kill: () => restart(0) },
    { name: 'a worker', workers: 1, databases: 0, kill: () => restart(1) },
    { name: 'both workers', workers: 2, databases: 0, kill: () => Promise.all([restart(1), restart(2)]) },
    { name: 'the database', workers: 0, databases: 1, kill: async () => killDatabase() },
    {
      ...{ name: 'everything', workers: 2, databases: 1 },
      kill: () => {
        killDatabase();
        return Promise.all([restart(0), restart(1), restart(2)]);
      },
    },
  ];
  return {
    url: `http://127.0.0.1:${apiPort}`,
    join: async () => {
      services[2] = await startService({ dataDir, env: { ...common, ...roles[2] } });
    },
    /** @param {number} chance From 0 to 1: which process. */
    async killSome(chance) {
      const choice = /** @type {typeof choices[number]} */ (choices[Math.floor(chance * choices.length)]);
      await choice.kill();
      return choice;
    },
    stop: () => Promise.all(services.map((service) => service.stop())),
  };
}
