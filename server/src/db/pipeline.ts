import type pg from 'pg';
import type { Breaker } from './breaker.js';
import { type Connection, DatabaseBusy, DatabaseClient, socketOf } from './connect.js';
import type { Sql } from './sql.js';

// How many checks may find a lane silent. Checks are counted instead of time, because a process that was itself blocked has not yet read
// what arrived meanwhile. A statement sent right after a check or a reply waits for two more: the limit counts from its arrival.
const looks = 16;

/**
 * A few connections that take statements without waiting for earlier replies. One of them did 2.3 times the
 * point reads of a pool of 8. Replies come in order, so only short statements belong here.
 */
export class Pipeline {
  private readonly lanes: Lane[];
  private readonly watch: NodeJS.Timeout;

  /** `answerMs`: a lane that is silent for this long while it owes a reply is given up with everything in flight on it. */
  constructor(
    connection: Connection,
    lanes: number,
    answerMs: number,
    private readonly breaker: Breaker,
  ) {
    this.lanes = Array.from({ length: lanes }, () => new Lane(connection, answerMs, breaker));
    this.watch = setInterval(
      () => {
        for (const lane of this.lanes) lane.look();
      },
      answerMs / (looks + 2),
    ).unref();
  }

  query<Row>(statement: Sql<Row>): Promise<pg.QueryResult<Row & pg.QueryResultRow>> {
    let best = this.lanes[0] as Lane;
    for (const lane of this.lanes) if (lane.inFlight < best.inFlight) best = lane;
    return best.query(statement);
  }

  async close(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.close()));
    clearInterval(this.watch);
  }

  destroy(): void {
    this.breaker.shut();
    for (const lane of this.lanes) lane.drop(DatabaseBusy.away());
  }
}

class Lane {
  inFlight = 0;
  private answered = 0;
  private answeredBefore = 0;
  private silentLooks = 0;
  private gathering = false;
  private client: DatabaseClient | undefined;
  private opening: DatabaseClient | undefined;
  private connecting: Promise<DatabaseClient> | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly answerMs: number,
    private readonly breaker: Breaker,
  ) {}

  async query<Row>(statement: Sql<Row>): Promise<pg.QueryResult<Row & pg.QueryResultRow>> {
    this.breaker.refuseIfOpen();
    this.inFlight++;
    try {
      const client = this.client ?? (await this.connect());
      this.gather(client);
      return await client.query<Row & pg.QueryResultRow>(statement).catch((error) => this.mayReplace(client, error));
    } finally {
      this.inFlight--;
      this.answered++;
    }
  }

  /** Everything else in flight fails with it, with an error that passes by waiting. */
  private mayReplace(client: DatabaseClient, error: Error): never {
    if (client.isSpoiltBy(error) && this.client === client) this.drop(error);
    throw error;
  }

  look(): void {
    const isSilent = this.inFlight > 0 && this.answered === this.answeredBefore;
    this.answeredBefore = this.answered;
    this.silentLooks = isSilent ? this.silentLooks + 1 : 0;
    if (this.silentLooks <= looks) return;
    this.silentLooks = 0;
    this.breaker.trip();
    this.drop(DatabaseBusy.away());
  }

  /** Fails everything in flight. The next statement connects again. */
  drop(error: Error): void {
    const client = this.client ?? this.opening;
    if (client) socketOf(client).destroy(error);
  }

  // Statements of one turn of the event loop are sent in one system call.
  private gather(client: DatabaseClient): void {
    if (this.gathering) return;
    this.gathering = true;
    const stream = socketOf(client);
    stream.cork();
    setImmediate(() => {
      this.gathering = false;
      stream.uncork();
    });
  }

  private connect(): Promise<DatabaseClient> {
    this.connecting ??= this.open().finally(() => {
      this.connecting = undefined;
      this.opening = undefined;
    });
    return this.connecting;
  }

  private async open(): Promise<DatabaseClient> {
    const client = new DatabaseClient(this.connection, { pipeline: true });
    this.opening = client;
    const forget = () => {
      if (this.client === client) this.client = undefined;
    };
    // The next statement reconnects; those in flight have failed with their own error.
    client.on('error', forget);
    client.on('end', forget);
    try {
      await client.connect();
    } catch (error) {
      if (isTimeout(error)) this.breaker.trip();
      throw error;
    }
    // Planning a page of lists takes 0.35 ms, running it 0.09 ms, and a limit passed as a parameter makes PostgreSQL plan every
    // time. Every short read has its own index, so one plan serves all values. And the server gives up a
    // statement before we give up the lane with everything behind it.
    await client.query(
      `set plan_cache_mode = force_generic_plan; set statement_timeout = ${Math.round(this.answerMs * 0.6)}`,
    );
    this.client = client;
    return client;
  }

  async close(): Promise<void> {
    await this.connecting?.catch(() => undefined);
    await this.client?.end();
  }
}

/** True if connecting took too long; pg has no code for that. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && /timeout expired|connection timeout/.test(error.message);
}
