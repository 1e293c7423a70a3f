import type pg from 'pg';
import type { Sql } from './sql.js';

/** What runs a statement: the database itself, or a transaction on it. */
export interface Runner {
  rows<Row>(statement: Sql<Row>): Promise<Row[]>;
  /** The first row, if there is one. */
  row<Row>(statement: Sql<Row>): Promise<Row | undefined>;
  /** Runs a statement for its effect; returns how many rows it touched. */
  run(statement: Sql): Promise<number>;
}

/** A transaction in progress. The type tells a use case that it must be called inside one. */
export interface Transaction extends Runner {
  readonly isTransaction: true;
  /** The same object for every transaction on one database: anything cached for one must not be used for another. */
  readonly database: object;
  /** Runs a `copy … from stdin` with rows in COPY's text format, see copyField(). */
  copy(statement: Sql, rows: string): Promise<void>;
  /** Runs last, right before the commit: for rows that others wait for, which must not stay locked while other locks are taken. */
  beforeCommit(work: () => Promise<void>): void;
  /** Runs after the transaction has committed, never if it failed. */
  afterCommit(effect: () => void): void;
}

type Query = <Row>(statement: Sql<Row>) => Promise<pg.QueryResult<Row & pg.QueryResultRow>>;

export function runner(query: Query): Runner {
  return {
    rows: async (statement) => (await query(statement)).rows,
    row: async (statement) => (await query(statement)).rows[0],
    run: async (statement) => (await query(statement)).rowCount ?? 0,
  };
}
