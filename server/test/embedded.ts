// Embedded databases in separate folders.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { expect } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/db/embedded/index.js';

export const cleanups: (() => Promise<unknown> | unknown)[] = [];

export async function makeDataDir(...below: string[]): Promise<string> {
  const root = await mkdtemp('/tmp/rapport-embedded-');
  await chmod(root, 0o755);
  cleanups.push(() => rm(root, { recursive: true, force: true }));
  return join(root, ...below);
}

export async function query(database: EmbeddedPostgres, text: string): Promise<unknown[]> {
  const client = new pg.Client(database.connection);
  client.on('error', () => undefined);
  await client.connect();
  return client.query(text).then(
    async ({ rows }) => {
      await client.end();
      return rows;
    },
    async (error) => {
      await client.end();
      throw error;
    },
  );
}

export async function storeWord(database: EmbeddedPostgres): Promise<void> {
  await query(database, "create table word (text text); insert into word values ('kept')");
}

export async function expectWord(database: EmbeddedPostgres): Promise<void> {
  expect(await query(database, 'select text from word')).toEqual([{ text: 'kept' }]);
}

export function embeddedIn(warnings: string[]) {
  const log = { info: () => undefined, warn: (_: object, message: string) => void warnings.push(message) };

  async function start(dataDir: string): Promise<EmbeddedPostgres> {
    const database = await startEmbeddedPostgres({ dataDir, log });
    cleanups.push(() => database.stop());
    return database;
  }

  return { start };
}
