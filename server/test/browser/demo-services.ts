// Vitest global setup: one PostgreSQL for the run, the demo data created once, and one service on it that is shared by the files that change nothing.
// A file that changes data gets a copy of the database and its own service: that takes two seconds, from scratch it would be ten.
import { cp } from 'node:fs/promises';
import pg from 'pg';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { findServer, withDatabase } from '../database-server.js';
import { cleanUp, makeDataDir, type Service, startService } from '../process/service.js';
import { hasChromium } from './chromium.js';

interface DemoData {
  /** The administrator's address of its PostgreSQL. */
  serverUrl: string;
  database: string;
  /** The address of the service that created it. The links in its mail lead there. */
  url: string;
  /** The tokens and keys that belong to it. */
  dataDir: string;
}

export type RunningService = Pick<Service, 'url' | 'dataDir'>;

declare module 'vitest' {
  interface ProvidedContext {
    demo: DemoData;
    sharedService: RunningService;
  }
}

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!hasChromium) return undefined;
  const server = await findServer();
  const database = `rapport_demo_${process.pid}`;
  const stop = async () => {
    await cleanUp();
    for (const name of [`${database}_shared`, database]) await drop(server.url, name);
    await server.stop();
  };
  try {
    await onServer(server.url, `create database ${database}`);
    const dataDir = await makeDataDir();
    const first = await startService({ dataDir, env: envFor(server.url, database) });
    // PostgreSQL copies a database only while no one is connected to it.
    await first.stop();
    const demo = { serverUrl: server.url, database, url: first.url, dataDir };
    const shared = await startOnCopy(demo, `${database}_shared`, {});
    project.provide('demo', demo);
    project.provide('sharedService', { url: shared.url, dataDir: shared.dataDir });
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

let copies = 0;

/** A service for one test file, on a copy of the demo data. */
export async function startDemoService(env: Record<string, string> = {}) {
  const demo = inject('demo');
  const database = `${demo.database}_${process.pid}_${++copies}`;
  const service = await startOnCopy(demo, database, env);
  return {
    service,
    databaseUrl: withDatabase(demo.serverUrl, database),
    stop: async () => {
      await cleanUp();
      await drop(demo.serverUrl, database);
    },
  };
}

async function startOnCopy(demo: DemoData, database: string, env: Record<string, string>): Promise<Service> {
  await onServer(demo.serverUrl, `create database ${database} template ${demo.database} strategy file_copy`);
  const dataDir = await makeDataDir();
  await cp(demo.dataDir, dataDir, { recursive: true });
  return startService({ dataDir, env: { ...envFor(demo.serverUrl, database), ...env } });
}

/** With DATABASE_URL a service creates the demo data only if DEMO says so. */
const envFor = (serverUrl: string, database: string) => ({
  DATABASE_URL: withDatabase(serverUrl, database),
  DEMO: 'on',
});

const drop = (serverUrl: string, database: string) =>
  onServer(serverUrl, `drop database if exists ${database} with (force)`);

async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
