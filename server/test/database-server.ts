// Vitest global setup: one throwaway PostgreSQL for the run, with a migrated template that every test file clones.
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../src/db/embedded/index.js';
import { migrate } from '../src/db/migrate.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The administrator's address of the throwaway server. */
    serverUrl: string;
    template: string;
    tablesOfTenants: string[];
  }
}

const silent = { info: () => undefined, warn: () => undefined };

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await findServer();
  const template = `rapport_template_${process.pid}`;
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(`create database ${template}`);
  await migrate({ connectionString: withDatabase(server.url, template) });
  project.provide('serverUrl', server.url);
  project.provide('template', template);
  project.provide('tablesOfTenants', await tablesOfTenants(withDatabase(server.url, template)));
  return async () => {
    await admin.query(`drop database ${template} with (force)`);
    await admin.end();
    await server.stop();
  };
}

/** The template must have no open connections when it is cloned. */
async function tablesOfTenants(connectionString: string): Promise<string[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'tenant_id'`,
  );
  await client.end();
  return rows.map(({ name }) => name).filter((name) => !ofPeople.has(name));
}

// Sign-ins and tokens are looked up before the tenant is known: these tables stay in one place when the others are split.
const ofPeople = new Set([
  ...['tenant', 'account', 'access_token', 'invitation'],
  ...['identity_provider', 'sso_domain', 'sso_attempt'],
]);

export async function findServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, stop: async () => undefined };
  // A folder in memory, if there is one: cloning the template then takes a tenth of the time.
  const dir = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'rapport-test-'));
  // If others could not enter it, root's database would be put elsewhere.
  await chmod(dir, 0o755);
  const postgres = await startEmbeddedPostgres({ dataDir: dir, log: silent });
  const { host, port, user, password, database } = postgres.connection;
  const url = host.startsWith('/')
    ? `postgres://${user}:${password}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
    : `postgres://${user}:${password}@${host}:${port}/${database}`;
  return {
    url,
    stop: async () => {
      await postgres.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

export function withDatabase(url: string, database: string): string {
  return url.replace(/\/[^/?]*(\?|$)/, `/${database}$1`);
}
