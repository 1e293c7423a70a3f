import { systemClock } from '../lib/clock.js';
import { Places } from '../lib/places.js';
import { type Connection, connectMs, DatabaseBusy, passesByWaiting } from './connect.js';
import { Pool, type PoolLimits } from './pool.js';
import { Replica } from './replica.js';
import type { Runner, Transaction } from './runner.js';

export interface ReplicaOptions {
  connection: Connection;
  /** Milliseconds that a read waits for it to catch up with earlier commits. */
  mostLag: number;
}

/**
 * Reads of requests that may take long: few at once, each with a time limit, fair between tenants. They use a replica if there is one
 * that keeps up.
 */
export class SlowReads {
  private readonly pool: Pool;
  private readonly copy: { pool: Pool; state: Replica } | undefined;
  /** How many reads each has answered. */
  readonly answered = { primary: 0, replica: 0 };
  private readonly places: Places;
  private readonly bulkyPlaces: Places;

  constructor(
    connection: Connection,
    private readonly limits: PoolLimits,
    onSilence: () => void,
    primary: Runner,
    replica?: ReplicaOptions,
  ) {
    const own = { ...limits, waitMs: connectMs, pipeline: true };
    this.pool = new Pool(connection, own, onSilence, this);
    this.copy = replica && this.readFrom(replica, own, primary);
    this.places = new Places({
      places: limits.size,
      mostEach: limits.size - 1,
      waitMs: limits.waitMs,
      mostWaiting: 100,
      refuse: () => DatabaseBusy.crowded('too many slow reads are waiting'),
    });
    // One per tenant: a response of 6 MB blocks the event loop for 60 ms, while the next is read from the database.
    this.bulkyPlaces = new Places({
      places: Math.max(1, limits.size - 1),
      mostEach: 1,
      waitMs: limits.waitMs,
      mostWaiting: 100,
      refuse: () => DatabaseBusy.crowded('too many large pages are waiting'),
    });
  }

  read<T>(tenantId: number, read: (runner: Runner) => Promise<T>, isBulky = false): Promise<T> {
    const places = isBulky ? this.bulkyPlaces : this.places;
    return this.inPlace(places, tenantId, (msLeft) => this.somewhere(read, msLeft));
  }

  private readFrom({ connection, mostLag }: ReplicaOptions, limits: PoolLimits, primary: Runner) {
    // If it does not respond, the primary is used.
    const pool = new Pool(connection, limits, () => undefined, this);
    return { pool, state: new Replica(primary, pool.runner, mostLag, systemClock) };
  }

  private async somewhere<T>(read: (runner: Runner) => Promise<T>, msLeft: () => number): Promise<T> {
    const { copy } = this;
    if (copy && (await copy.state.hasCaughtUp())) {
      try {
        const result = await read(copy.pool.runnerWithin(msLeft));
        this.answered.replica++;
        return result;
      } catch (error) {
        // The replica is unavailable, or cancelled the read to replay changes. There is no time left for the primary either.
        if (!passesByWaiting(error) || msLeft() <= 0) throw error;
        copy.state.rest();
      }
    }
    this.answered.primary++;
    return read(this.pool.runnerWithin(msLeft));
  }

  /** See Database. */
  rehearse<T>(tenantId: number, work: (tx: Transaction) => Promise<T>, advice: string): Promise<T> {
    return this.inPlace(this.places, tenantId, (msLeft) => this.pool.rehearse(work, msLeft), advice);
  }

  /** The time limit of a read starts with the request, so waiting for a place counts. */
  private async inPlace<T>(
    places: Places,
    tenantId: number,
    read: (msLeft: () => number) => Promise<T>,
    advice?: string,
  ): Promise<T> {
    const { statementMs } = this.limits;
    const until = systemClock.elapsed() + statementMs;
    const giveBack = await places.take(tenantId);
    try {
      return await read(() => until - systemClock.elapsed());
    } catch (error) {
      if ((error as { code?: string }).code !== '57014') throw error;
      throw DatabaseBusy.tooSlow(statementMs, { cause: error }, advice);
    } finally {
      giveBack();
    }
  }

  async end(): Promise<void> {
    await Promise.all([this.pool.end(), this.copy?.pool.end()]);
  }

  destroy(): void {
    this.pool.destroy();
    this.copy?.pool.destroy();
  }
}
