// What the proofs kill: one API process and two workers on one embedded database that the proof itself runs.
import { freePort } from '../../bench/free-port.js';
import { startService } from '../../server/test/process/service.js';

/**
 * One API process and two workers on one database.
 * @param {string} dataDir
 * @param {import('../../server/dist/db/embedded/index.js').EmbeddedPostgres} database
 */
export async function startCluster(dataDir, database) {
  const { host, port, user, password, database: name } = database.connection;
  const address = host.startsWith('/')
    ? `@/${name}?host=${encodeURIComponent(host)}&port=${port}`
    : `@${host}:${port}/${name}`;
  const common = { DATABASE_URL: `postgres://${user}:${password}${address}`, DEMO: 'off', LOG_LEVEL: 'error' };
  const apiPort = String(await freePort());
  const roles = [
    { ROLE: 'api', PORT: apiPort },
    { ROLE: 'worker', PORT: '0' },
    { ROLE: 'worker', PORT: '0' },
  ];
  /** @type {import('../../server/test/process/service.js').Service[]} */
  const services = [];
  for (const role of roles) services.push(await startService({ dataDir, env: { ...common, ...role } }));
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
    { name: 'the API', kill: () => restart(0) },
    { name: 'a worker', kill: () => restart(1) },
    { name: 'both workers', kill: () => Promise.all([restart(1), restart(2)]) },
    { name: 'the database', kill: async () => killDatabase() },
    {
      name: 'everything',
      kill: () => {
        killDatabase();
        return Promise.all([restart(0), restart(1), restart(2)]);
      },
    },
  ];
  return {
    url: `http://127.0.0.1:${apiPort}`,
    async killSome() {
      const { name, kill } = /** @type {typeof choices[number]} */ (
        choices[Math.floor(Math.random() * choices.length)]
      );
      await kill();
      return name;
    },
    stop: () => Promise.all(services.map((service) => service.stop())),
  };
}
