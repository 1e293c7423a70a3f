import type { Transaction } from '../db/database.js';
import { lockTenant, type TenantLock } from '../db/locks.js';
import { waitAfter } from '../lib/backoff.js';
import { errorCode, prospectOf } from './prospect.js';
import type { Watch } from './queue.js';

/** Opens transactions on the worker's own connections. */
export interface Transactions {
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
}

/** The oldest units of a tenant, as many as fit in one database transaction. */
export interface Batch {
  /** The name of the oldest unit, its kind, and how often it has failed. */
  readonly first: string;
  readonly kind: string;
  readonly attempts: number;
  /** How many units of each kind there are. */
  readonly units: ReadonlyMap<string, number>;
  apply(): Promise<void>;
}

/** Work that is done in runs of units: a run is one database transaction, and a tenant has one worker at a time. */
export interface Runs {
  readonly lock: TenantLock;
  /** Units in a run, at most. */
  readonly most: number;
  /** The oldest units that are due and of a kind that this process knows; nothing if there are none. */
  take(tx: Transaction, tenantId: number, atMost: number, now: string): Promise<Batch | undefined>;
  /** Ends the oldest unit as failed. `why` ends a sentence. False: another unit is the oldest by now. */
  refuse(tx: Transaction, tenantId: number, first: string, why: string, now: string): Promise<boolean>;
  /** Stores with the oldest unit that it failed, and when it is due again. */
  postpone(tx: Transaction, tenantId: number, first: string, failure: FailedAttempt, now: string): Promise<void>;
}

export interface FailedAttempt {
  attempts: number;
  error: string;
  waitMs: number;
}

/** An unknown error may be gone at the next attempt. After this many, 8.5 s later, it counts as a bug. */
export const mostAttempts = 5;
const firstWaitMs = 100;
const longestWaitMs = 60_000;
const longestErrorText = 500;

/**
 * How many units the next run of a tenant has. A run that failed is retried with half as many, until the unit that cannot be
 * done is alone; from there the size doubles. Remembered from turn to turn: if every unit fails, each is tried once, not ten times; and
 * if other workers serve the tenant between two tries, they still get closer to it.
 */
export class Widths {
  private readonly narrowed = new Map<number, number>();

  constructor(private readonly most: number) {}

  of(tenantId: number): number {
    return this.narrowed.get(tenantId) ?? this.most;
  }

  /** After a run of `failed` units failed. Returns how many to try next. */
  halve(tenantId: number, failed: number): number {
    const half = Math.max(1, failed >> 1);
    this.narrowed.set(tenantId, half);
    return half;
  }

  widen(tenantId: number): void {
    const wider = this.of(tenantId) * 2;
    if (wider >= this.most) this.narrowed.delete(tenantId);
    else this.narrowed.set(tenantId, wider);
  }
}

/**
 * Does the oldest units of a tenant. A crash undoes a whole run. Returns how many units were done or ended, or `busy` if another
 * worker serves this tenant. Throws errors that pass by waiting; a unit that fails for any other reason is found, and ended with its
 * reason, at once or after a few attempts.
 */
export async function takeTurn(
  db: Transactions,
  runs: Runs,
  widths: Widths,
  tenantId: number,
  watch: Watch,
): Promise<number | 'busy'> {
  for (let atMost = widths.of(tenantId); ; ) {
    let tried: Batch | undefined;
    try {
      const taken = await inTurn(db, runs, tenantId, async (tx, now) => {
        tried = await runs.take(tx, tenantId, atMost, now);
        await tried?.apply();
      });
      if (taken === 'busy') return 'busy';
      if (!tried) return 0;
      widths.widen(tenantId);
      for (const [kind, count] of tried.units) watch.done(kind, count);
      return sizeOf(tried);
    } catch (error) {
      if (!tried || prospectOf(error) === 'passes') throw error;
      atMost = widths.halve(tenantId, sizeOf(tried));
      if (sizeOf(tried) === 1) return await endOrPostpone(db, runs, tenantId, tried, error as Error, watch);
    }
  }
}

function inTurn<T>(
  db: Transactions,
  runs: Runs,
  tenantId: number,
  work: (tx: Transaction, now: string) => Promise<T>,
): Promise<T | 'busy'> {
  return db.transaction(async (tx) => {
    const now = await lockTenant(tx, tenantId, runs.lock);
    return now === undefined ? 'busy' : work(tx, now);
  });
}

function sizeOf({ units }: Batch): number {
  let size = 0;
  for (const count of units.values()) size += count;
  return size;
}

/** For a unit that failed alone. Another worker may have had a turn since: then the unit that is first now is left alone. */
function endOrPostpone(
  db: Transactions,
  runs: Runs,
  tenantId: number,
  { first, kind, attempts: before }: Batch,
  error: Error,
  watch: Watch,
): Promise<number | 'busy'> {
  const attempts = before + 1;
  const stays = prospectOf(error) === 'stays';
  return inTurn(db, runs, tenantId, async (tx, now) => {
    if (stays || attempts >= mostAttempts) {
      if (!(await runs.refuse(tx, tenantId, first, whyOf(error, stays, attempts), now))) return 0;
      tx.afterCommit(() => watch.failed(kind, tenantId, error));
      return 1;
    }
    const waitMs = waitAfter(attempts, firstWaitMs, 4, longestWaitMs);
    const text = `${errorCode(error)}: ${error.message}`.slice(0, longestErrorText).toWellFormed().replaceAll('\0', '');
    await runs.postpone(tx, tenantId, first, { attempts, error: text, waitMs }, now);
    tx.afterCommit(() => watch.retried(kind, tenantId, error));
    return 0;
  });
}

function whyOf(error: Error, stays: boolean, attempts: number): string {
  if (stays) return `cannot be applied (${errorCode(error)}). Check its values and send it again.`;
  return `could not be applied: an unexpected error (${errorCode(error)}) came ${attempts} times. Report it, and send it again.`;
}
