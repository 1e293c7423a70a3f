import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { systemClock } from '../lib/clock.js';
import { type Connection, clientConfig, passesByWaiting } from './connect.js';

// Milliseconds. Longer than for requests: nobody is waiting for an answer yet, and a database that recovers is slow to greet.
const greetingMs = 10_000;

/** A connection to a database that may still be starting. Gives up with a sentence that names what to check. */
export async function connectPatiently(connection: Connection, patienceMs: number): Promise<pg.Client> {
  const until = systemClock.elapsed() + patienceMs;
  for (;;) {
    const client = new pg.Client({ ...clientConfig(connection), connectionTimeoutMillis: greetingMs });
    // Losing it fails the next statement; without a listener it would end the process before that could be told.
    client.on('error', () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      if (!passesByWaiting(error) || systemClock.elapsed() > until) {
        throw new Error(`Cannot reach the database. Check DATABASE_URL: ${(error as Error).message}`, { cause: error });
      }
      await sleep(250);
    }
  }
}

export async function waitForDatabase(connection: Connection, patienceMs: number): Promise<void> {
  const client = await connectPatiently(connection, patienceMs);
  await client.end().catch(() => undefined);
}
