import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { systemClock } from '../../lib/clock.js';
import { socketOf } from '../connect.js';
import { locks } from '../locks.js';
import type { Connection } from './address.js';

/** An open connection whose advisory lock means that this service owns the cluster. It is released when the service ends, even by kill -9. */
export interface Guard {
  readonly lost: Promise<void>;
  readonly isLost: () => boolean;
  release(): Promise<void>;
}

const guardDatabase = 'postgres';
const releasePatience = 1000;

export async function connectGuard(connection: Connection): Promise<pg.Client> {
  const client = new pg.Client({
    ...connection,
    database: guardDatabase,
    ssl: false,
    application_name: 'rapport guard',
    connectionTimeoutMillis: 5000,
  });
  // A loss is handled by 'end'; without a listener the error would end the service.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  return client;
}

export async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ got: boolean }>(`select pg_try_advisory_lock(${locks.cluster}) as got`);
  return rows[0]?.got === true;
}

export async function unlock(client: pg.Client): Promise<void> {
  await client.query(`select pg_advisory_unlock(${locks.cluster})`);
}

/** Tries for a while: the lock of a service that was just killed lasts until the server notices, a few milliseconds later. */
export async function lockWithin(client: pg.Client, milliseconds: number): Promise<boolean> {
  const end = systemClock.elapsed() + milliseconds;
  while (!(await tryLock(client))) {
    if (systemClock.elapsed() > end) return false;
    await sleep(25);
  }
  return true;
}

export function watch(client: pg.Client): Guard {
  let gone = false;
  const lost = new Promise<void>((resolve) => {
    client.once('end', () => {
      gone = true;
      resolve();
    });
  });
  const release = async () => {
    // A server that hangs does not answer a terminate message either: closing the socket releases the lock.
    const impatient = setTimeout(() => socketOf(client).destroy(), releasePatience);
    await client.end().catch(() => undefined);
    clearTimeout(impatient);
  };
  return { lost, isLost: () => gone, release };
}

/** The first start, or a crash right after it. */
export async function ensureDatabase(client: pg.Client, name: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
  if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
}
