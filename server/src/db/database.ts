import pg from 'pg';
import { type Connection, clientConfig } from './connect.js';
import { CopyIn } from './copy.js';
import { Newsroom } from './news.js';
import { Pipeline } from './pipeline.js';
import { type Sql, sql } from './sql.js';

/** What runs a statement: the database itself, or a transaction on it. */
export interface Runner {
  rows<Row>(statement: Sql<Row>): Promise<Row[]>;
  /** The first row, if there is one. */
  row<Row>(statement: Sql<Row>): Promise<Row | undefined>;
  /** Runs for effect; answers how many rows it touched. */
  run(statement: Sql): Promise<number>;
}

type Query = <Row>(statement: Sql<Row>) => Promise<pg.QueryResult<Row & pg.QueryResultRow>>;

function runner(query: Query): Runner {
  return {
    rows: async (statement) => (await query(statement)).rows,
    row: async (statement) => (await query(statement)).rows[0],
    run: async (statement) => (await query(statement)).rowCount ?? 0,
  };
}

/** A transaction in progress. The type tells a use case that it must be called inside one. */
export interface Transaction extends Runner {
  readonly isTransaction: true;
  /** The same object for every transaction on one database: what is remembered about one must not count for another. */
  readonly database: object;
  readonly news: Newsroom;
  /** Runs a `copy … from stdin` with rows in COPY's text format, see copyField(). */
  copy(statement: Sql, rows: string): Promise<void>;
  /** Runs when the transaction has committed, never when it failed. */
  afterCommit(effect: () => void): void;
}

/** For the worker and the chores. */
export interface Background extends Runner {
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

export interface Database extends Runner {
  readonly background: Background;
  /** Who hears of what changes here. */
  readonly news: Newsroom;
  /** For statements that may take long: they get a connection of their own and hold nobody up. */
  readonly patient: Runner;
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

export function openDatabase(connection: Connection, options: { poolSize?: number; lanes?: number } = {}): Database {
  const pool = new pg.Pool({
    ...clientConfig(connection),
    max: options.poolSize ?? 8,
    idleTimeoutMillis: 30_000,
    onConnect: async (client) => {
      // Without a listener, a connection that dies between two statements would end the process. The pool's own is there only
      // while nobody has the connection, and it may die in the moment of handing over.
      client.on('error', () => undefined);
      // Sets and searches are planned for their values and for the size that the tables have now. A plan kept from when they
      // were small made a search read 100,000 index entries, and a batch of 1,000 emails read every contact.
      await client.query('set plan_cache_mode = force_custom_plan');
    },
  });
  // An idle connection that dies is replaced on demand; without a listener the pool would end the process too.
  pool.on('error', () => undefined);
  const pipeline = new Pipeline(connection, options.lanes ?? 2);
  const news = new Newsroom();
  const patient = runner((statement) => pool.query(statement));
  const transaction = <T>(work: (tx: Transaction) => Promise<T>) => inTransaction(pool, news, work);
  return {
    ...runner((statement) => pipeline.query(statement)),
    patient,
    background: { ...patient, transaction },
    news,
    transaction,
    ping: async () => {
      await pipeline.query(sql`select 1`);
    },
    close: async () => {
      await Promise.all([pipeline.close(), pool.end()]);
    },
  };
}

async function inTransaction<T>(pool: pg.Pool, news: Newsroom, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const effects: (() => void)[] = [];
    const result = await work({
      isTransaction: true,
      database: pool,
      news,
      afterCommit: (effect) => effects.push(effect),
      copy: (statement, rows) => client.query(new CopyIn(statement.text, rows)).done,
      ...runner((statement) => client.query(statement)),
    });
    await client.query('commit');
    for (const effect of effects) effect();
    return result;
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
