import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { systemClock } from '../lib/clock.js';
import { type Connection, DatabaseClient, passesByWaiting } from './connect.js';

// Milliseconds. Longer than for requests: no caller is waiting yet, and a recovering database is slow to respond.
const greetingMs = 10_000;

/** Connects to a database that may still be starting. Gives up with an error that says what to check. */
export async function connectPatiently(connection: Connection, patienceMs: number): Promise<pg.Client> {
  const until = systemClock.elapsed() + patienceMs;
  for (;;) {
    const client = new DatabaseClient(connection, { connectionTimeoutMillis: greetingMs });
    // A loss fails the next statement; without a listener it would end the process first.
    client.on('error', () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      if (!passesByWaiting(error) || systemClock.elapsed() > until) {
        throw new Error(whyNotConnected(error as NodeJS.ErrnoException, client), { cause: error });
      }
      await sleep(250);
    }
  }
}

/** Never the whole address: it contains the password. */
export function whyNotConnected(
  { code = '', message }: NodeJS.ErrnoException,
  { host, port, user, database }: Pick<pg.Client, 'host' | 'port' | 'user' | 'database'>,
): string {
  const place = host.startsWith('/') ? `the socket of port ${port} in ${host}` : `${host}:${port}`;
  const check = 'Check DATABASE_URL';
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOENT':
      return `No database answers at ${place}. ${check}, above all its host and port, and see that PostgreSQL runs.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `There is no machine named ${host}, or its name cannot be looked up from here. ${check}.`;
    case '28P01':
    case '28000':
      return `The database at ${place} does not let the user ${user} in (it says: ${message}). ${check}, above all user and password.`;
    case '3D000':
      return `There is no database named ${database} at ${place}. ${check}, or make it: createdb ${database}.`;
    case '42501':
      return `The user ${user} may not use the database ${database} at ${place}. ${check}, or grant it CONNECT.`;
    case '53300':
      return `The database at ${place} has no connection left (it says: ${message}). End others, or raise max_connections.`;
    default:
      return `Cannot reach the database at ${place} (it says: ${message}). ${check}.`;
  }
}

export async function waitForDatabase(connection: Connection, patienceMs: number): Promise<void> {
  const client = await connectPatiently(connection, patienceMs);
  await client.end().catch(() => undefined);
}
