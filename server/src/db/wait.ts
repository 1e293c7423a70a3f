import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { systemClock } from '../lib/clock.js';
import { type Connection, clientConfig, passesByWaiting } from './connect.js';

/** Waits for a database that is still starting; gives up with a sentence that names what to check. */
export async function waitForDatabase(connection: Connection, patienceMs: number): Promise<void> {
  const until = systemClock.elapsed() + patienceMs;
  for (;;) {
    const client = new pg.Client({ ...clientConfig(connection), connectionTimeoutMillis: 5000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return;
    } catch (error) {
      if (!passesByWaiting(error) || systemClock.elapsed() > until) {
        throw new Error(`Cannot reach the database. Check DATABASE_URL: ${(error as Error).message}`, { cause: error });
      }
      await sleep(250);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
