import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import type { Connection } from './connect.js';
import { locks } from './locks.js';
import { applyOnline, isOnline } from './online-migration.js';
import { connectPatiently } from './wait.js';

const patienceMs = 30_000;
/** How long a statement waits for a table. */
const lockPatienceMs = 500;
const retryMs = 1000;
/** Lock timeout, deadlock. */
const inUse = new Set(['55P03', '40P01']);
const folder = fileURLToPath(new URL('../../migrations/', import.meta.url));

interface Migration {
  version: number;
  name: string;
  text: string;
  checksum: string;
}

export async function readMigrations(): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}-.+\.sql$/.test(file)).sort();
  return Promise.all(
    files.map(async (name) => {
      const text = await readFile(folder + name, 'utf8');
      return {
        version: Number(name.slice(0, 4)),
        name,
        text,
        checksum: createHash('sha256').update(text).digest('hex'),
      };
    }),
  );
}

interface MigrateOptions {
  /** Stops at this version, for a backup made by an older build. */
  upTo?: number | undefined;
  /** Called before each statement that may take long. */
  say?: (doing: string) => void;
}

/** Brings the schema up to date. Processes that start together wait for each other; each migration runs once. */
export async function migrate(
  connection: Connection,
  { upTo = Number.POSITIVE_INFINITY, say = () => undefined }: MigrateOptions = {},
): Promise<string[]> {
  const client = await connectPatiently(connection, patienceMs);
  try {
    await requireVersion(client);
    await takeTurn(client);
    return await applyMissing(client, await readMigrations(), upTo, say);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Asks again and again: while a statement waits for a lock, no index can be built beside it. */
async function takeTurn(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      locks.migrations,
    ]);
    if (rows[0]?.locked) return;
    await sleep(100);
  }
}

async function requireVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: string; text: string }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as text`,
  );
  const found = rows[0];
  if (Number(found?.number) < 150_000) {
    throw new Error(`PostgreSQL ${found?.text} is too old: Rapport needs 15 or newer. Point DATABASE_URL at one.`);
  }
}

async function applyMissing(
  client: pg.Client,
  migrations: Migration[],
  upTo: number,
  say: (doing: string) => void,
): Promise<string[]> {
  await client.query(`create table if not exists schema_migration (
    version integer primary key, name text not null, checksum text not null, applied_at timestamptz(3) not null default now())`);
  const { rows } = await client.query<{ version: number; name: string; checksum: string }>(
    'select version, name, checksum from schema_migration order by version',
  );
  refuseStrangers(rows, migrations);
  const done = new Set(rows.map((row) => row.version));
  const missing = migrations.filter(({ version }) => version <= upTo && !done.has(version));
  for (const migration of missing) await apply(client, migration, say);
  return missing.map((migration) => migration.name);
}

function refuseStrangers(rows: { version: number; name: string; checksum: string }[], migrations: Migration[]): void {
  const known = new Map(migrations.map((migration) => [migration.version, migration]));
  for (const row of rows) {
    const migration = known.get(row.version);
    if (!migration)
      throw new Error(`The database is newer than this build: it has ${row.name}. Start the newer build.`);
    if (migration.checksum !== row.checksum) {
      throw new Error(
        `Migration ${row.name} was changed after it ran. Restore the file; write a new migration instead.`,
      );
    }
  }
}

async function apply(client: pg.Client, migration: Migration, say: (doing: string) => void): Promise<void> {
  try {
    if (isOnline(migration.text)) await applyOnline(client, migration.text, say);
    while (!(await applyAtOnce(client, migration))) {
      say(`${migration.name} waits for a query or a transaction that uses its tables`);
      await sleep(retryMs);
    }
  } catch (error) {
    throw new Error(`Migration ${migration.name} failed: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * In one transaction. False if its tables were in use: everything that comes to a table after a statement that waits for it waits too, so it
 * gives way and comes back, and a long report keeps no other request from the table.
 */
async function applyAtOnce(client: pg.Client, { version, name, text, checksum }: Migration): Promise<boolean> {
  try {
    await client.query('begin');
    await client.query(`set local lock_timeout = ${lockPatienceMs}`);
    if (!isOnline(text)) await client.query(text);
    await client.query('insert into schema_migration (version, name, checksum) values ($1, $2, $3)', [
      version,
      name,
      checksum,
    ]);
    await client.query('commit');
    return true;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    if (!inUse.has((error as { code?: string }).code ?? '')) throw error;
    return false;
  }
}
