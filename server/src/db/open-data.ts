// Opens the data without the service: DATABASE_URL, or the embedded PostgreSQL under DATA_DIR, as the service finds them.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Connection, DatabaseClient } from './connect.js';
import { hostAndPort } from './embedded/address.js';
import { readPassword, superuser } from './embedded/cluster.js';
import { startEmbeddedPostgres } from './embedded/index.js';
import { clusterDirectory, hasCluster } from './embedded/location.js';
import { readPidFile } from './embedded/pid-file.js';
import { type Runner, runner } from './runner.js';
import { waitForDatabase } from './wait.js';

const patienceMs = 5000;

/** Where the data is: a part of the configuration. */
interface DataSource {
  dataDir: string;
  databaseUrl: string | undefined;
  databaseDirectUrl: string | undefined;
  /** Where to look for PostgreSQL binaries on a platform that the packages do not cover. */
  path: string;
}
type Work<T> = (connection: Connection) => Promise<T>;

/** Runs `work` on the data, also beside a running service. A database that was started for it is stopped afterwards. */
export async function onExistingData<T>(source: DataSource, work: Work<T>): Promise<T> {
  const direct = await named(source);
  if (direct) return work(direct);
  const base = await recordedBase(source.dataDir);
  if (!(await hasCluster(base))) {
    throw new Error(`There is no database in ${source.dataDir}. Set DATA_DIR or DATABASE_URL to those of the service.`);
  }
  const running = await runningServer(clusterDirectory(base));
  return running ? work(running) : onEmbedded(source, work);
}

/** Runs `work` on a database that no service is using: the embedded one is created if it does not exist. */
export async function onOwnDatabase<T>(source: DataSource, work: Work<T>): Promise<T> {
  const direct = await named(source);
  return direct ? work(direct) : onEmbedded(source, work);
}

/** DATABASE_URL, or DATABASE_DIRECT_URL if there is a pooler: poolers are not meant for long transactions. */
async function named({ databaseUrl, databaseDirectUrl }: DataSource): Promise<Connection | undefined> {
  if (!databaseUrl) return undefined;
  const connection = { connectionString: databaseDirectUrl ?? databaseUrl };
  await waitForDatabase(connection, patienceMs);
  return connection;
}

async function recordedBase(dataDir: string): Promise<string> {
  const text = await readFile(join(dataDir, 'postgres-location'), 'utf8').catch(() => '.');
  return resolve(dataDir, text.trim());
}

/** The server that a running or killed service has on this cluster. */
async function runningServer(cluster: string): Promise<Connection | undefined> {
  const file = await readPidFile(cluster);
  if (!file) return undefined;
  const password = await readPassword(cluster);
  const connection = { ...hostAndPort(file.address), user: superuser, password, database: 'rapport' };
  const client = new DatabaseClient(connection);
  client.on('error', () => undefined);
  try {
    await client.connect();
    return connection;
  } catch {
    // A file left behind by a crash: the caller starts the server.
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function onEmbedded<T>({ dataDir, path }: DataSource, work: Work<T>): Promise<T> {
  const silent = { info: () => undefined, warn: () => undefined };
  const postgres = await startEmbeddedPostgres({ dataDir, log: silent, pathVariable: path });
  try {
    return await work(postgres.connection);
  } finally {
    await postgres.stop();
  }
}

/** Runs `work` on a connection of its own. */
export async function withClient<T>(connection: Connection, work: (client: DatabaseClient) => Promise<T>): Promise<T> {
  const client = new DatabaseClient(connection);
  // A lost connection fails the statement in progress.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = 0');
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The same, for statements in the form that features use. */
export function withRunner<T>(connection: Connection, work: (db: Runner) => Promise<T>): Promise<T> {
  return withClient(connection, (client) => work(runner((statement) => client.query(statement))));
}
