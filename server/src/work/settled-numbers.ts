import type { Runner } from '../db/database.js';
import { type Sql, sql } from '../db/sql.js';

/** A table and its identity column. */
interface Numbered {
  table: string;
  column: string;
}

interface Mark {
  /** The last number that was given out. */
  last: number;
  /** Transactions that may still store a row with a number up to it. */
  writers: readonly string[];
}

/**
 * Up to which number of an identity column all rows are decided: committed, or never to be. Numbers are given out before their rows can
 * be seen, and a later one may be seen first.
 *
 * A transaction locks the table before it draws a number, until it ends. So once all that held the lock when a number was the last have
 * ended, nothing up to that number can appear any more.
 */
export class SettledNumbers {
  readonly #of: Numbered;
  #mark: Mark | undefined;
  #settled = 0;
  #server: string | undefined;

  constructor(of: Numbered) {
    this.#of = of;
  }

  /** 0: nothing is known, or no longer: after a fail-over the numbers may begin again below the last one that was seen. */
  async look(db: Runner): Promise<number> {
    const { last, server } = await selectLast(db, this.#of);
    if (server !== this.#server || last < this.#settled) {
      this.#server = server;
      this.#settled = 0;
      this.#mark = undefined;
      return 0;
    }
    if (this.#mark) this.#mark = await this.#without(db, this.#mark);
    if (!this.#mark && last > this.#settled) this.#mark = await this.#without(db, { last, writers: ['*'] });
    return this.#settled;
  }

  /** The mark with the writers that are left; nothing once there are none. */
  async #without(db: Runner, { last, writers }: Mark): Promise<Mark | undefined> {
    const now = await selectWriters(db, this.#of.table);
    const left = writers[0] === '*' ? now : now.filter((writer) => writers.includes(writer));
    if (left.length > 0) return { last, writers: left };
    this.#settled = last;
    return undefined;
  }
}

async function selectLast(db: Runner, { table, column }: Numbered): Promise<{ last: number; server: string }> {
  const row = await db.row(sql<{ last: number; server: string }>`
    select coalesce(pg_sequence_last_value(pg_get_serial_sequence(${table}, ${column})::regclass), 0) as last,
      pg_postmaster_start_time()::text as server`);
  return row as { last: number; server: string };
}

async function selectWriters(db: Runner, table: string): Promise<string[]> {
  const own: Sql = sql`l.database = (select oid from pg_database where datname = current_database())`;
  const rows = await db.rows(sql<{ writer: string }>`
    select distinct l.virtualtransaction as writer from pg_locks l
    where l.relation = ${table}::text::regclass and ${own} and l.mode = 'RowExclusiveLock' and l.granted`);
  return rows.map(({ writer }) => writer);
}
