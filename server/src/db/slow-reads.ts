import { systemClock } from '../lib/clock.js';
import { Places } from '../lib/places.js';
import { type Connection, connectMs, DatabaseBusy } from './connect.js';
import { Pool, type PoolLimits } from './pool.js';
import type { Runner, Transaction } from './runner.js';

/** Reads of requests that may take long: few at once, each with a time limit, fair between tenants. */
export class SlowReads {
  private readonly pool: Pool;
  private readonly places: Places;
  private readonly bulkyPlaces: Places;

  constructor(
    connection: Connection,
    private readonly limits: PoolLimits,
    onSilence: () => void,
  ) {
    this.pool = new Pool(connection, { ...limits, waitMs: connectMs, pipeline: true }, onSilence, this);
    this.places = new Places({
      places: limits.size,
      mostEach: limits.size - 1,
      waitMs: limits.waitMs,
      mostWaiting: 100,
      refuse: () => DatabaseBusy.crowded('too many slow reads are waiting'),
    });
    // One of a tenant: an answer of 6 MB takes the loop for 60 ms, and the next is read from the database meanwhile.
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
    return this.inPlace(places, tenantId, (msLeft) => read(this.pool.runnerWithin(msLeft)));
  }

  /** See Database. */
  rehearse<T>(tenantId: number, work: (tx: Transaction) => Promise<T>, advice: string): Promise<T> {
    return this.inPlace(this.places, tenantId, (msLeft) => this.pool.rehearse(work, msLeft), advice);
  }

  /** The time that a read may take begins with the request: what it waits for its place is gone. */
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

  end(): Promise<void> {
    return this.pool.end();
  }

  destroy(): void {
    this.pool.destroy();
  }
}
