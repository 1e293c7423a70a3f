// What waits in a tenant's queue, for work that must come after it or may overtake it.
import { countSome, mostCounted, type Some } from '../../../db/count-some.js';
import type { Runner, Transaction } from '../../../db/database.js';
import { sql } from '../../../db/sql.js';
import { long, short, smallLong } from '../queries.js';

// Index entries: this takes a millisecond, whatever the backlog. Reading a whole million took 2.4 s, and blocked a lane.
const mostLookedAt = 1000;

/**
 * The newest pending write of some kinds. Reads only the newest few: if none of them is of these kinds and there may be more, the oldest of
 * them counts.
 */
export async function lastPending(db: Runner, tenantId: number, kinds: readonly string[]): Promise<number | undefined> {
  const row = await db.row(sql<{ seq: number | null }>`
    select coalesce(
      max(seq) filter (where kind = any(${kinds}::text[])),
      case when count(*) = ${mostLookedAt} then min(seq) end) as seq
    from (
      select seq, kind from write_transaction where tenant_id = ${tenantId} and ${short}
      order by seq desc limit ${mostLookedAt}
    ) newest`);
  return row?.seq ?? undefined;
}

// If more than this many wait, the rest is not read.
const mostPassed = 1000;

/** Whether all waiting writes may be overtaken. Large long writes, which no other write waits for, do not count. */
export async function isIdle(tx: Transaction, tenantId: number, passed: readonly string[]): Promise<boolean> {
  const row = await tx.row(sql<{ isIdle: boolean }>`
    select count(*) < ${mostPassed} and count(*) filter (where kind <> all(${passed}::text[])) = 0
      and not exists (
        select from (
          select items from write_transaction where tenant_id = ${tenantId} and ${long} order by seq limit 1
        ) first where first.items <= ${smallLong}) as "isIdle"
    from (
      select kind from write_transaction where tenant_id = ${tenantId} and ${short} order by seq limit ${mostPassed}
    ) waiting`);
  return row?.isIdle ?? false;
}

/** The payloads of waiting writes of a kind; undefined if there are too many. */
export async function selectPayloads(
  tx: Transaction,
  tenantId: number,
  kind: string,
  atMost: number,
): Promise<string[] | undefined> {
  const rows = await tx.rows(sql<{ payload: string }>`
    select payload from write_transaction where tenant_id = ${tenantId} and ${short} and kind = ${kind}
    order by seq limit ${atMost + 1}`);
  return rows.length > atMost ? undefined : rows.map((row) => row.payload);
}

/** Short writes that have waited for more than a minute. Imports may take longer. */
export function countOverdue(db: Runner, tenantId: number): Promise<Some> {
  return countSome(
    db,
    sql`select created_at as at from (
        select created_at from write_transaction where tenant_id = ${tenantId} and ${short} order by seq limit ${mostCounted}
      ) oldest where created_at < now() - interval '1 minute'`,
  );
}

/** The oldest pending write of any kind. */
export async function firstPending(db: Runner, tenantId: number): Promise<number | undefined> {
  const row = await db.row(sql<{ seq: number }>`
    select seq from write_transaction where tenant_id = ${tenantId} and ${short} order by seq limit 1`);
  return row?.seq;
}

/** Waiting long writes of a kind that were acknowledged before a position in the queue. */
export async function selectPendingLong(
  db: Runner,
  tenantId: number,
  kind: string,
  beforeSeq: number,
): Promise<string[]> {
  const rows = await db.rows(sql<{ uuid: string }>`
    select transaction_id as uuid from write_transaction
    where tenant_id = ${tenantId} and ${long} and kind = ${kind} and seq < ${beforeSeq} order by seq`);
  return rows.map((row) => row.uuid);
}
