// Statistics for the planner soon after a table has filled. Without them PostgreSQL assumes that a new table is almost empty and may read it
// again for every row of another. Autovacuum looks once a minute, waits until a tenth of a table is new, and never analyzes a partitioned
// table as a whole.
import type { Clock } from '../lib/clock.js';
import type { Background } from './database.js';
import type { Runner } from './runner.js';
import { Sql, sql } from './sql.js';

interface Stale {
  /** Its name in SQL, quoted by PostgreSQL. */
  table: string;
  /** Rows at the last count; 0 before the first. */
  known: number;
  /** Rows written since. */
  changed: number;
  /** The table that it is a partition of. */
  whole?: string | null;
}

interface Counted {
  at: number;
  tookMs: number;
}

// A tenant's first thousand rows matter, however many the other tenants have.
const fewestChanges = 1000;
// After the first count: at most a twentieth of the time for a table that doubles, else a thousandth; a twentieth for all of them
// together. When eight tables grew at once, each with its own twentieth, counting them took a quarter of the database's time.
const restWhileGrowing = 20;
const restOtherwise = 1000;

/** Whether to count again now, given what the last count cost. */
export function isDue({ known, changed }: Stale, counted: Counted | undefined, now: number): boolean {
  if (!counted) return true;
  const rest = changed >= known ? restWhileGrowing : restOtherwise;
  return now - counted.at >= counted.tookMs * rest;
}

export class FreshStatistics {
  private readonly counted = new Map<string, Counted>();
  /** For any table. */
  private last: Counted | undefined;

  constructor(
    private readonly db: Background,
    private readonly clock: Clock,
  ) {}

  private isResting(now: number): boolean {
    return this.last !== undefined && now - this.last.at < this.last.tookMs * restWhileGrowing;
  }

  async refresh(signal?: AbortSignal): Promise<void> {
    const wholes = new Set<string>();
    for (const stale of await selectStale(this.db)) {
      const began = this.clock.elapsed();
      if (signal?.aborted) return;
      if (stale.whole && wholes.has(stale.whole)) continue;
      const before = this.counted.get(stale.table);
      if (!isDue(stale, before, began) || (before && this.isResting(began))) continue;
      await count(this.db, stale.table);
      const ended = this.clock.elapsed();
      this.last = { at: ended, tookMs: ended - began };
      this.counted.set(stale.table, this.last);
      wholes.add(stale.table);
    }
  }
}

/** The most outdated first. Counting a partitioned table counts its partitions too, so it comes before them, and whenever they have doubled. */
function selectStale(db: Runner): Promise<Stale[]> {
  return db.rows(sql<Stale>`
    select * from (
      select p.oid::regclass::text as table, greatest(p.reltuples, 0)::float8 as known,
        sum(greatest(s.n_live_tup, 0))::float8 as changed, null as whole
      from pg_inherits i join pg_class p on p.oid = i.inhparent join pg_stat_user_tables s on s.relid = i.inhrelid
      where p.relkind = 'p' and pg_table_is_visible(p.oid)
      group by p.oid, p.reltuples having sum(s.n_live_tup) >= ${fewestChanges} + 2 * greatest(p.reltuples, 0)
      union all
      select c.oid::regclass::text, greatest(c.reltuples, 0), s.n_mod_since_analyze,
        (select inhparent::regclass::text from pg_inherits where inhrelid = c.oid)
      from pg_stat_user_tables s join pg_class c on c.oid = s.relid
      where s.n_mod_since_analyze >= ${fewestChanges} and c.relpersistence <> 't' and pg_table_is_visible(c.oid)
    ) stale order by whole is not null, changed / (1 + known) desc`);
}

/**
 * Waits for no lock: a table in use by an index build, or being counted by another process, gets its turn later. Not on the connections for
 * single statements that look for work: it may take seconds.
 */
async function count(db: Background, table: string): Promise<void> {
  await db.transaction((tx) => tx.run(sql`analyze (skip_locked) ${new Sql(table, '', [])}`));
}
