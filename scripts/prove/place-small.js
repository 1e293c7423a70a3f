// The small place: one process that serves the API and two workers on one embedded database that the proof itself runs. The first also applies
// writes until it is killed, then only every other time. They may begin as an older build: a killed process comes back as this build, as in a
// rolling upgrade.
import { freePort } from '../../bench/free-port.js';
import { startEmbeddedPostgres } from '../../server/dist/db/embedded/index.js';
import { makeDataDir, startService } from '../../server/test/process/service.js';

const silent = { info: () => undefined, warn: () => undefined };

/** @type {import('./under-fire.js').Open} */
export async function openSmallPlace({ env, older }) {
  const dataDir = await makeDataDir();
  // In this process, so that it outlives the services; it restarts itself when it is killed.
  const database = await startEmbeddedPostgres({ dataDir, log: silent });
  try {
    const services = await startServices(dataDir, database, env, older);
    return { dataDir, connection: database.connection, close: () => database.stop(), ...services };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

/**
 * @param {string} dataDir
 * @param {import('../../server/dist/db/embedded/index.js').EmbeddedPostgres} database
 * @param {Record<string, string>} env
 * @param {string[] | undefined} older
 */
async function startServices(dataDir, database, env, older) {
  const { host, port, user, password, database: name } = database.connection;
  const address = host.startsWith('/')
    ? `@/${name}?host=${encodeURIComponent(host)}&port=${port}`
    : `@${host}:${port}/${name}`;
  const common = { DATABASE_URL: `postgres://${user}:${password}${address}`, DEMO: 'off', LOG_LEVEL: 'error', ...env };
  const apiPort = String(await freePort());
  const roles = [
    { ROLE: 'all', PORT: apiPort },
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
    return 0;
  };
  // Returns how many processes that send mail it killed.
  const restartApi = async () => {
    const api = /** @type {typeof roles[number]} */ (roles[0]);
    const workers = api.ROLE === 'all' ? 1 : 0;
    api.ROLE = workers === 1 ? 'api' : 'all';
    await restart(0);
    return workers;
  };
  const killDatabase = () => {
    try {
      process.kill(database.pid, 'SIGKILL');
    } catch {
      // Still down from the last time.
    }
    return 0;
  };
  const choices = [
    { name: 'killed the API', workers: 0, databases: 0, kill: restartApi },
    { name: 'killed a worker', workers: 1, databases: 0, kill: () => restart(1) },
    {
      name: 'killed both workers',
      workers: 2,
      databases: 0,
      kill: () => Promise.all([restart(1), restart(2)]).then(() => 0),
    },
    { name: 'killed the database', workers: 0, databases: 1, kill: async () => killDatabase() },
    {
      ...{ name: 'killed everything', workers: 2, databases: 1 },
      kill: async () => {
        killDatabase();
        const [workers] = await Promise.all([restartApi(), restart(1), restart(2)]);
        return workers;
      },
    },
  ];
  return {
    url: `http://127.0.0.1:${apiPort}`,
    join: async () => {
      services[2] = await startService({ dataDir, env: { ...common, ...roles[2] } });
    },
    /** @param {() => number} random */
    async strike(random) {
      const choice = /** @type {typeof choices[number]} */ (choices[Math.floor(random() * choices.length)]);
      const { name, workers, databases } = choice;
      return { name, workers: workers + (await choice.kill()), databases };
    },
    stop: () => Promise.all(services.map((service) => service.stop())),
  };
}
