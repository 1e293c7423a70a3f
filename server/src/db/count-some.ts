// A count that never reads much, to find out whether something is wrong, and roughly how badly.
import type { Runner } from './database.js';
import { type Sql, sql } from './sql.js';

/** `count` stops at `mostCounted`. `since`: the earliest of them; null if there are none. */
export interface Some {
  count: number;
  since: string | null;
}

export const noSome: Some = { count: 0, since: null };

// Index entries: about a millisecond, however many there are.
export const mostCounted = 1000;

/** `times`: a select with one column `at`, without a limit. */
export async function countSome(db: Runner, times: Sql<{ at: string }>): Promise<Some> {
  const row = await db.row(sql<Some>`
    select count(*) as count, min(at) as since from (${times} limit ${mostCounted}) counted`);
  return row ?? noSome;
}
