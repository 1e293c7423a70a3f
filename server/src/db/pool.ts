import pg from 'pg';
import { systemClock } from '../lib/clock.js';
import { together } from '../lib/together.js';
import { type Connection, DatabaseBusy, DatabaseClient, socketOf } from './connect.js';
import { copyIn } from './copy.js';
import { isTimeout } from './pipeline.js';
import { type Runner, runner, type Transaction } from './runner.js';
import { type Sql, unnamed } from './sql.js';

export interface PoolLimits {
  size: number;
  /** Milliseconds that a caller waits for a connection. */
  waitMs: number;
  /** Milliseconds that a statement may take: PostgreSQL ends it then. */
  statementMs: number;
}

// Milliseconds after which a statement that PostgreSQL should have ended counts as hung.
const marginMs = 1000;

/**
 * Connections for work with several statements, or one that may take long. Statements are sent without waiting for the replies of earlier ones:
 * what does not depend on those can share a round trip. Every statement has a time limit on both sides: if PostgreSQL exceeds it, the connection
 * is destroyed.
 */
export class Pool {
  private readonly pool: pg.Pool;
  private readonly clients = new Set<pg.Client>();
  /** When each last answered a statement. */
  private readonly answeredAt = new WeakMap<pg.Client, number>();
  private readonly waiting = new Set<(error: Error) => void>();
  private readonly begin: (statementMs?: number) => string;
  private readonly beginKeyed: string;
  private isDestroyed = false;
  private ended: Promise<void> | undefined;

  /** `onSilence`: called when the database does not respond. `identity`: see Transaction. */
  constructor(
    connection: Connection,
    private readonly limits: PoolLimits,
    private readonly onSilence: () => void,
    private readonly identity: object,
  ) {
    // Sets and searches are planned for their values and for the current size of the tables. A plan kept from when they
    // were small made a search read 100,000 index entries, and a batch of 1,000 emails read every contact.
    // Set for the transaction, not at connect: behind a pooler the next transaction has another connection.
    const begin = (plans: string, statementMs = limits.statementMs) =>
      `begin; set local plan_cache_mode = ${plans}; set local statement_timeout = ${statementMs}`;
    this.begin = (statementMs) => begin('force_custom_plan', statementMs);
    this.beginKeyed = begin(`force_generic_plan; ${['seqscan', 'hashjoin', 'mergejoin'].map(off).join('; ')}`);
    this.pool = new pg.Pool({
      connectionTimeoutMillis: limits.waitMs,
      max: limits.size,
      idleTimeoutMillis: 30_000,
      Client: this.tracked(connection),
      pipeline: true,
    } as pg.PoolConfig);
    // An idle connection that dies is replaced on demand; without a listener the pool would end the process.
    this.pool.on('error', () => undefined);
  }

  /** Single statements, each in a transaction of its own. */
  readonly runner: Runner = this.runnerWithin(() => this.limits.statementMs);

  /** The same, with a limit that is computed once there is a connection, because waiting for one counts. */
  runnerWithin(msLeft: () => number): Runner {
    return runner((statement) => this.query(statement, msLeft));
  }

  query<Row>(
    statement: Sql<Row>,
    msLeft: () => number = () => this.limits.statementMs,
  ): Promise<pg.QueryResult<Row & pg.QueryResultRow>> {
    return this.withClient(async (client) => {
      const left = Math.ceil(msLeft());
      if (left <= 0) throw new TooLate();
      const begin = statement.isHashed ? `${this.begin(left)}; ${byHash}` : this.begin(left);
      const send = () => together([begin, statement, 'commit'].map((step) => client.query(step as string)));
      const [, result] = await this.limited(client, send, left);
      return result as never;
    });
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>, { isKeyed = false } = {}): Promise<T> {
    const effects: (() => void)[] = [];
    const last: (() => Promise<void>)[] = [];
    const result = await this.withClient(async (client) => {
      await this.limited(client, () => client.query(isKeyed ? this.beginKeyed : this.begin()));
      const done = await work({
        isTransaction: true,
        database: this.identity,
        beforeCommit: (step) => last.push(step),
        afterCommit: (effect) => effects.push(effect),
        copy: (statement, rows) => this.limited(client, () => copyIn(client, statement.text, rows)),
        ...runner((statement: Sql) => this.planned(client, statement) as never),
      });
      for (const step of last) await step();
      await this.limited(client, () => client.query('commit'));
      return done;
    });
    for (const effect of effects) effect();
    return result;
  }

  /**
   * Never committed: everything the work did is undone. It may take no longer in total than is left. Statements have no names here: one
   * that was prepared before would use the tables of that time, not temporary ones that the work puts in their place.
   */
  async rehearse<T>(work: (tx: Transaction) => Promise<T>, msLeft: () => number): Promise<T> {
    return this.withClient(async (client) => {
      const limit = Math.max(1, Math.ceil(msLeft()));
      await this.limited(client, () => client.query(this.begin(limit)), limit);
      const done = await work({
        isTransaction: true,
        database: this.identity,
        beforeCommit: () => undefined,
        afterCommit: () => undefined,
        copy: () => Promise.reject(new Error('COPY is not possible in a rehearsal')),
        ...runner((statement: Sql) => {
          const left = msLeft();
          if (left <= 0) throw new TooLate();
          return this.planned(client, unnamed(statement), left) as never;
        }),
      });
      await this.limited(client, () => client.query('rollback'));
      return done;
    });
  }

  end(): Promise<void> {
    this.ended ??= this.pool.end();
    return this.ended;
  }

  /** Rejects hanging statements, and callers that wait for a connection. */
  destroy(): void {
    this.isDestroyed = true;
    for (const reject of this.waiting) reject(DatabaseBusy.away());
    for (const client of this.clients) socketOf(client).destroy(DatabaseBusy.away());
  }

  private async withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.connect();
    let broken: Error | undefined;
    try {
      return await work(client);
    } catch (error) {
      // It would fail for the next caller in the same way.
      if ((client as DatabaseClient & pg.PoolClient).isSpoiltBy(error)) broken = error as Error;
      await this.limited(client, () => client.query('rollback')).catch((failure: Error) => {
        broken = failure;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  private connect(): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      if (this.isDestroyed) return reject(DatabaseBusy.away());
      this.waiting.add(reject);
      this.pool
        .connect()
        .finally(() => this.waiting.delete(reject))
        .then(
          (client) => (this.isDestroyed ? client.release(true) : resolve(client)),
          (error: Error) => reject(this.explain(error)),
        );
    });
  }

  private explain(error: Error): Error {
    if (isTimeout(error)) {
      this.onSilence();
      return DatabaseBusy.away({ cause: error });
    }
    if (!error.message.startsWith('timeout exceeded')) return error;
    return DatabaseBusy.crowded(`all connections were in use for ${this.limits.waitMs / 1000} s`);
  }

  private async limited<T>(
    client: pg.Client,
    query: () => Promise<T>,
    statementMs = this.limits.statementMs,
  ): Promise<T> {
    const limit = statementMs + marginMs;
    const sentAt = systemClock.elapsed();
    let isDone = false;
    const look = () => {
      if (isDone) return;
      // It has run since the statement before it was answered.
      const silentMs = systemClock.elapsed() - Math.max(sentAt, this.answeredAt.get(client) ?? 0);
      if (silentMs < limit) {
        timer = setTimeout(late, limit - silentMs);
        return;
      }
      this.onSilence();
      socketOf(client).destroy(DatabaseBusy.away());
    };
    // What arrived while this process itself was blocked is read first.
    const late = () => setImmediate(look);
    let timer = setTimeout(late, limit);
    try {
      return await query();
    } finally {
      isDone = true;
      this.answeredAt.set(client, systemClock.elapsed());
      clearTimeout(timer);
    }
  }

  /** Within a transaction: statements after it are planned as before. */
  private async planned(client: pg.Client, statement: Sql, ms?: number): Promise<pg.QueryResult> {
    const query = (text: Sql | string) => this.limited(client, () => client.query(text as string), ms);
    if (!statement.isHashed) return query(statement);
    await query(byHash);
    const result = await query(statement);
    await query(asBefore);
    return result;
  }

  private tracked(connection: Connection): typeof pg.Client {
    const { clients } = this;
    return class extends DatabaseClient {
      constructor(config: pg.ClientConfig) {
        super(connection, config);
        clients.add(this);
        this.once('end', () => clients.delete(this));
        // Without a listener, a connection that dies between two statements would end the process. The pool's own listener is there
        // only while the connection is idle, and it may die at the moment of checkout.
        this.on('error', () => undefined);
      }
    };
  }
}

/** The time was up before the statement started. The code is PostgreSQL's for a statement that took too long. */
class TooLate extends Error {
  readonly code = '57014';
}

/**
 * See hashed(). Before version 18, PostgreSQL rules out a plan by a cost so high that JIT compilation of the statement seems worthwhile,
 * which takes longer than running it.
 */
const byHash = `${off('nestloop')}; ${off('seqscan')}; set local jit = off`;
const asBefore = ['enable_nestloop', 'enable_seqscan', 'jit'].map((name) => `set local ${name} to default`).join('; ');

function off(way: string): string {
  return `set local enable_${way} = off`;
}
