import type { Transaction } from '../../../db/database.js';
import { type Sql, sql } from '../../../db/sql.js';
import { long, type PendingWrite, short } from '../queries.js';

/** The place of a write in the queue. */
interface WritePlace {
  seq: number;
  createdAt: string;
}

/**
 * The next places in a tenant's queue, for writes that are applied in this transaction; none if they would overtake a waiting write. Under the
 * lock of a turn: a write that is acknowledged meanwhile comes after them or beside them. Their time is one after that lock was taken, so that
 * whoever looks for what is on its way finds the lock or the time.
 */
export function takePlaces(tx: Transaction, tenantId: number, count: number): Promise<WritePlace[]> {
  const waiting = (which: Sql) => sql`select from write_transaction where tenant_id = ${tenantId} and ${which}`;
  return tx.rows(sql<WritePlace>`
    with at as materialized (select clock_timestamp()::timestamptz(3) as "createdAt")
    select nextval('write_transaction_seq') as seq, at."createdAt" from generate_series(1, ${count}::integer), at
    where not exists (${waiting(short)}) and not exists (${waiting(long)})`);
}

/** Acknowledges writes that this transaction has applied. */
export async function insertFinished(
  tx: Transaction,
  tenantId: number,
  writes: readonly PendingWrite[],
  outcomes: readonly { results: unknown }[],
): Promise<void> {
  await tx.run(sql`
    insert into write_transaction (tenant_id, transaction_id, seq, kind, status, items, results, created_at, finished_at)
    select ${tenantId}, transaction_id, seq, kind, 'DONE', items, results, created_at, created_at
    from unnest(${writes.map((w) => w.uuid)}::uuid[], ${writes.map((w) => w.seq)}::bigint[], ${writes.map((w) => w.kind)}::text[],
      ${writes.map((w) => w.items)}::integer[], ${outcomes.map(({ results }) => JSON.stringify(results ?? null))}::text[],
      ${writes.map((w) => w.createdAt)}::timestamptz[]) as w (transaction_id, seq, kind, items, results, created_at)`);
}
