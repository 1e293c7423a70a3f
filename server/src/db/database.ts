import { Places } from '../lib/places.js';
import { Breaker } from './breaker.js';
import { type Connection, connectMs, DatabaseBusy, DatabaseClient, socketOf } from './connect.js';
import { Pipeline } from './pipeline.js';
import { Pool } from './pool.js';
import { type Runner, runner, type Transaction } from './runner.js';
import { type ReplicaOptions, SlowReads } from './slow-reads.js';
import { sql } from './sql.js';

export type { Runner, Transaction } from './runner.js';

/**
 * The database, divided by bulkheads: each kind of work has its own connections, so none can take another's. Used directly as a
 * runner, it is for acknowledgements and point reads, which share a few pipelined connections.
 */
export interface Database extends Runner {
  /** For requests that write in several steps. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * The same, for requests that send many parts: two at once, one per tenant. Otherwise a hundred uploads would take every connection, and
   * every other request would wait behind them.
   */
  upload<T>(tenantId: number, work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** For reads of requests that may take long. Few at once, shared fairly between tenants, each with a time limit. */
  slow(tenantId: number): Runner;
  /** Several such reads in sequence, in one place: a caller that waited for the first does not queue again for the next. */
  slowly<T>(tenantId: number, work: (reader: Runner) => Promise<T>): Promise<T>;
  /** For reads of megabytes: one at a time per tenant, because others wait while the response is built. */
  bulky(tenantId: number): Runner;
  /**
   * A transaction that is always rolled back, run as a slow read with the same time limit: for trying things out on
   * temporary copies. `advice`: what to ask for instead if it takes too long.
   */
  rehearse<T>(tenantId: number, work: (tx: Transaction) => Promise<T>, advice: string): Promise<T>;
  /** For the worker and the chores. */
  readonly background: Background;
  /** How many slow reads the primary and the replica have answered; undefined without a replica. */
  readonly slowReadsBy: Readonly<Record<'primary' | 'replica', number>> | undefined;
  /** The value of `Transaction.database` for its transactions. */
  readonly identity: object;
  ping(): Promise<void>;
  /** Waits for work in flight. With `atOnce`, that work fails. */
  close(options?: { atOnce?: boolean }): Promise<void>;
}

export interface Background extends Runner {
  /**
   * `isKeyed`: every row that it reads or changes is found by its key. Then one plan serves all values and needs no statistics: scans
   * and joins of whole tables are ruled out. Frequent statements would otherwise spend most of their time on planning.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: { isKeyed?: boolean }): Promise<T>;
}

/** How many connections each kind of work has, and its limits in milliseconds. */
export interface DatabaseOptions {
  /** Pipelined connections, for acknowledgements and point reads. */
  lanes?: number;
  /** A lane that is silent for this long while it owes a reply is given up. */
  answerMs?: number;
  /** For transactions of requests. */
  poolSize?: number;
  /** For slow reads of requests. */
  slowReads?: number;
  /** A slow read that takes longer, including the wait for its turn, is ended. */
  slowReadMs?: number;
  /** A slow read that gets no connection within this time is refused. */
  slowWaitMs?: number;
  /** For transactions of the worker and the chores. */
  background?: number;
  /** For their single statements, which look for work: one trip each. */
  looks?: number;
  /** A replica for slow reads, while it keeps up. */
  replica?: ReplicaOptions | undefined;
}

const transactionMs = 5000;
// An erasure, or a month that moves to its partition, takes seconds.
const backgroundMs = 600_000;

export function openDatabase(connection: Connection, options: DatabaseOptions = {}): Database {
  const identity = {};
  const breaker = new Breaker(() => probe(connection));
  const onSilence = () => breaker.trip();
  const pipeline = new Pipeline(connection, options.lanes ?? 2, options.answerMs ?? 5000, breaker);
  const requests = new Pool(
    connection,
    { size: options.poolSize ?? 8, waitMs: connectMs, statementMs: transactionMs },
    onSilence,
    identity,
  );
  const slow = new SlowReads(
    connection,
    {
      size: options.slowReads ?? 4,
      waitMs: options.slowWaitMs ?? 5000,
      // One more second for a server that exceeds the limit: 10 s from the request to its response.
      statementMs: options.slowReadMs ?? 9000,
    },
    onSilence,
    runner((statement) => pipeline.query(statement)),
    options.replica,
  );
  const uploads = new Places({
    ...{ places: 2, mostEach: 1, waitMs: 30_000, mostWaiting: 50 },
    refuse: () => DatabaseBusy.crowded('too many uploads are being stored'),
  });
  const behind = (size: number) =>
    new Pool(
      connection,
      { size, waitMs: 10_000, statementMs: backgroundMs },
      // Its own statement may just be slow, which says nothing about the database.
      () => undefined,
      identity,
    );
  const [chores, looks] = [behind(options.background ?? 9), behind(options.looks ?? 2)];
  const background = { ...looks.runner, transaction: chores.transaction.bind(chores) };
  const pools = [requests, slow, chores, looks];
  const slowRunner = (tenantId: number, isBulky: boolean): Runner => {
    const read = async <T>(work: (runner: Runner) => Promise<T>): Promise<T> => {
      breaker.refuseIfOpen();
      return slow.read(tenantId, work, isBulky);
    };
    return {
      rows: (statement) => read((db) => db.rows(statement)),
      row: (statement) => read((db) => db.row(statement)),
      run: (statement) => read((db) => db.run(statement)),
    };
  };
  return {
    // A lane has no transaction in which planner settings could be changed.
    ...runner((statement) => (statement.isHashed ? requests.query(statement) : pipeline.query(statement))),
    transaction: async (work) => {
      breaker.refuseIfOpen();
      return requests.transaction(work);
    },
    upload: async (tenantId, work) => {
      breaker.refuseIfOpen();
      const giveBack = await uploads.take(tenantId);
      return requests.transaction(work).finally(giveBack);
    },
    slow: (tenantId) => slowRunner(tenantId, false),
    slowly: async (tenantId, work) => {
      breaker.refuseIfOpen();
      return slow.read(tenantId, work);
    },
    bulky: (tenantId) => slowRunner(tenantId, true),
    rehearse: async (tenantId, work, advice) => {
      breaker.refuseIfOpen();
      return slow.rehearse(tenantId, work, advice);
    },
    background,
    slowReadsBy: options.replica && slow.answered,
    identity,
    ping: async () => {
      await pipeline.query(sql`select 1`);
    },
    close: async ({ atOnce = false } = {}) => {
      if (atOnce) for (const each of [pipeline, ...pools]) each.destroy();
      await Promise.all([pipeline.close(), ...pools.map((pool) => pool.end())]);
      breaker.shut();
    },
  };
}

/** Checks whether the database responds, on a connection of its own. */
async function probe(connection: Connection): Promise<void> {
  const client = new DatabaseClient(connection);
  client.on('error', () => undefined);
  const timer = setTimeout(() => socketOf(client).destroy(), connectMs).unref();
  try {
    await client.connect();
    await client.query('select 1');
  } finally {
    clearTimeout(timer);
    await client.end().catch(() => undefined);
  }
}
