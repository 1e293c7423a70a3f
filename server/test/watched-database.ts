// A worker's connections that count their statements, and fail one of them, as if the process had been killed right there.
import type { Background, Transaction } from '../src/db/database.js';
import type { Sql } from '../src/db/sql.js';

export interface WatchedBackground extends Background {
  /** How many statements ran in transactions. */
  statements: number;
  texts: string[];
  /** The number, from 1, of the statement that fails. */
  failAt: number | undefined;
  /** If it returns an error for a statement, the statement fails with it. `rows`: the data of a COPY. */
  failOn: ((statement: Sql, rows: string) => Error | undefined) | undefined;
}

class Killed extends Error {
  readonly code = '57P01';
}

export function watched(background: Background): WatchedBackground {
  const seen: WatchedBackground = {
    ...background,
    ...{ statements: 0, texts: [], failAt: undefined, failOn: undefined },
    transaction: (work) => background.transaction((tx) => work(watchTransaction(tx, seen))),
  };
  return seen;
}

function watchTransaction(tx: Transaction, seen: WatchedBackground): Transaction {
  const noted = <Row>(statement: Sql<Row>, rows = ''): Sql<Row> => {
    seen.statements++;
    seen.texts.push(statement.text);
    if (seen.statements === seen.failAt) throw new Killed('killed');
    const failure = seen.failOn?.(statement, rows);
    if (failure) throw failure;
    return statement;
  };
  return Object.assign(Object.create(tx) as Transaction, {
    rows: async (statement: Sql) => tx.rows(noted(statement)),
    row: async (statement: Sql) => tx.row(noted(statement)),
    run: async (statement: Sql) => tx.run(noted(statement)),
    copy: async (statement: Sql, rows: string) => tx.copy(noted(statement, rows), rows),
  });
}
