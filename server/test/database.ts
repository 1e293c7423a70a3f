import pg from 'pg';
import { afterAll, beforeAll, inject } from 'vitest';
import type { Connection } from '../src/db/connect.js';
import { type Database, openDatabase } from '../src/db/database.js';
import { withDatabase } from './database-server.js';
import { overlook } from './tenancy/overlook.js';

export interface TestDatabase {
  readonly db: Database;
  readonly connection: Connection;
}

let clones = 0;
const minute = 60_000;

/** A separate database for the test file, cloned from the migrated template. */
export function useDatabase(): TestDatabase {
  const state: { db?: Database; connection?: Connection } = {};
  const name = `rapport_test_${process.pid}_${Math.random().toString(36).slice(2, 8)}_${clones++}`;
  beforeAll(async () => {
    await onServer(`create database ${name} template ${inject('template')} strategy file_copy`);
    state.connection = { connectionString: withDatabase(inject('serverUrl'), name) };
    // Tests also seed through the lanes, and the machine may be busy: no limit that they could hit by chance.
    const limits = { poolSize: 6, lanes: 1, answerMs: minute, slowWaitMs: minute, slowReadMs: minute };
    state.db = overlook(openDatabase(state.connection, limits));
  });
  afterAll(async () => {
    await state.db?.close();
    await onServer(`drop database if exists ${name} with (force)`);
  });
  return {
    get db() {
      return state.db as Database;
    },
    get connection() {
      return state.connection as Connection;
    },
  };
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('serverUrl') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
