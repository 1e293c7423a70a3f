import { expect, it } from 'vitest';
import { useDatabase } from '../../test/database.js';
import { Pool } from './pool.js';
import { sql } from './sql.js';

const t = useDatabase();

it('gives each of the statements that were sent together its whole time limit', async () => {
  let silences = 0;
  const pool = new Pool(t.connection, { size: 1, waitMs: 5000, statementMs: 900 }, () => silences++, {});
  try {
    // 2.4 s in all, where one may take 0.9 s, and 1.9 s until it counts as hung.
    const slept = await pool.transaction((tx) =>
      Promise.all(
        [1, 2, 3, 4, 5, 6].map((n) => tx.row(sql<{ n: number }>`select ${n}::integer as n from pg_sleep(0.4)`)),
      ),
    );
    expect(slept.map((row) => row?.n)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(silences).toBe(0);
  } finally {
    await pool.end();
  }
});
