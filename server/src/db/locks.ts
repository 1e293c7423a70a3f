// All advisory locks. In one file, so that no two features use the same number for different things.
import { isLockTimeout } from './connect.js';
import type { Transaction } from './runner.js';
import { type Sql, sql } from './sql.js';

/** The first number of a lock. The meaning of a number never changes, because older builds may run beside this one. */
export const locks = {
  migrations: 7_237_001,
  /**
   * Exclusive: work that changes contacts depending on their state, and a worker of an older build that applies a tenant's writes. Shared: writes
   * that do not change contacts, and a turn of journeys that sets properties: only one of those runs at a time anyway.
   */
  writes: 7_237_002,
  /** One worker applies a tenant's writes at a time: this keeps their order. */
  writeTurn: 7_237_022,
  /** Serializes acknowledging and removing an upload. */
  upload: 7_237_003,
  /** Also used in make_month() and drop_month(), see migrations/0004-events.sql. */
  months: 7_237_004,
  /** Shared: writers of events. Exclusive: moving the floor. */
  eventFloor: 7_237_005,
  eventRetention: 7_237_006,
  /** One worker settles a tenant's search at a time. */
  search: 7_237_007,
  /** Shared: writers of data that filters read, in hold_audience(). A build waits for those that held it before, see older-writers.ts. */
  audience: 7_237_008,
  /**
   * Exclusive: a worker of an older build that evaluates a tenant's lists, and considers them built whatever filters they have by then. Shared:
   * workers of this build, and edits of filters.
   */
  audienceWork: 7_237_009,
  /** One worker evaluates a tenant's lists at a time. */
  audienceTurn: 7_237_021,
  /** Shared: transactions with news that journeys hear, in hold_journeys(). Exclusive: changes to what they listen to. */
  journeys: 7_237_010,
  /** One worker moves a tenant's enrolments at a time. */
  journeyWork: 7_237_011,
  /** Serializes edits of a tenant's filters. */
  audienceEdits: 7_237_020,
  /** One node renews the keys of the authorization server at a time. */
  oauthKeys: 7_237_015,
  /** In the database `postgres` of an embedded cluster, separate from our own: which service owns it. */
  cluster: 5_284_170_936,
} as const;

/** Locks that each tenant has one of. */
export type TenantLock =
  | typeof locks.writes
  | typeof locks.writeTurn
  | typeof locks.search
  | typeof locks.audienceTurn
  | typeof locks.journeyWork;

/** The lock that an older build takes exclusively for the same purpose. */
const formerly = new Map<TenantLock, number>([
  [locks.audienceTurn, locks.audienceWork],
  [locks.writeTurn, locks.writes],
]);

/**
 * Takes a tenant's lock until the transaction ends; undefined if another worker has it. A statement of its own: the next one
 * then takes its snapshot after the lock, and sees what the last holder finished. The time is read after the lock too: the
 * transaction's own may be older than what the last holder wrote.
 */
export async function lockTenant(tx: Transaction, tenantId: number, lock: TenantLock): Promise<string | undefined> {
  const former = formerly.get(lock);
  const isFree = former ? sql`pg_try_advisory_xact_lock_shared(${former}::integer, ${tenantId}::integer)` : sql`true`;
  // In this order: a latecomer must not hold what the first one may need exclusively.
  const row = await tx.row(sql<{ locked: boolean; now: string }>`
    select case when pg_try_advisory_xact_lock(${lock}::integer, ${tenantId}::integer) then ${isFree} else false end as locked,
      clock_timestamp() as now`);
  return row?.locked ? row.now : undefined;
}

/** As an expression: when the transaction began that holds this lock of the tenant; null if it is free. */
export function holderSince(tenantId: number, lock: TenantLock): Sql {
  return sql`(
    select min(a.xact_start) from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'advisory' and l.database = (select oid from pg_database where datname = current_database())
      and l.classid = ${lock}::integer::oid and l.objid = ${tenantId}::integer::oid and l.objsubid = 2 and l.granted)`;
}

/**
 * Takes a shared lock, and waits a little for a worker that holds it exclusively: this request is served before that worker's next turn. False: it
 * was not free in time, which does no harm. The wait is shorter than PostgreSQL's deadlock_timeout, so no deadlock is ever reported.
 */
export async function shareTenantSoon(
  tx: Transaction,
  tenantId: number,
  lock: TenantLock,
  withinMs: number,
): Promise<boolean> {
  const row = await tx.row(sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock_shared(${lock}::integer, ${tenantId}::integer) as locked`);
  if (row?.locked) return true;
  await tx.run(sql`savepoint before_lock`);
  try {
    await tx.run(sql`select set_config('lock_timeout', ${`${withinMs}ms`}, true)`);
    await tx.run(sql`select pg_advisory_xact_lock_shared(${lock}::integer, ${tenantId}::integer)`);
    // Restores the default: an operator may have set one.
    await tx.run(sql`set local lock_timeout to default`);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    await tx.run(sql`rollback to savepoint before_lock`);
    return false;
  }
  await tx.run(sql`release savepoint before_lock`);
  return true;
}

/**
 * The same for a request: waits until the holder is done, for a few seconds at most. Returns the time, read after the lock. One
 * request of a tenant at a time, or waiting ones would take everyone's connections: see oneByOne().
 */
export async function waitForTenant(tx: Transaction, tenantId: number, lock: TenantLock): Promise<string> {
  await tx.run(sql`select set_config('lock_timeout', '4s', true)`);
  await tx.run(sql`select pg_advisory_xact_lock(${lock}::integer, ${tenantId}::integer)`);
  const row = await tx.row(sql<{ now: string }>`select clock_timestamp() as now`);
  return (row as { now: string }).now;
}
