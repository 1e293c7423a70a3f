import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { useDatabase } from '../../test/database.js';
import { openDatabase } from './database.js';
import { sql } from './sql.js';

const t = useDatabase();

it('outlives a connection that dies in the moment it goes from one caller to the next', async () => {
  const db = openDatabase(t.connection, { poolSize: 1 });
  const connection = await db.patient.row(sql<{ pid: number }>`select pg_backend_pid() as pid`);
  await t.db.ping();
  const first = db.patient.run(sql`select pg_sleep(0.05)`);
  const second = db.transaction((tx) => tx.run(sql`select 1`));
  const killed = t.db.run(sql`select pg_terminate_backend(${connection?.pid}) from pg_sleep(0.2)`);
  await setImmediate();
  await setImmediate();
  // Meanwhile nothing is read: the answer and the end of the connection then come together.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  expect(await first).toBe(1);
  await expect(second).rejects.toThrow();
  await killed;
  expect(await db.patient.run(sql`select 1`)).toBe(1);
  await db.close();
});
