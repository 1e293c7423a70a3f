// What writes left: failed items, and results that an erasure must find.
import type { Runner, Transaction } from '../../../db/database.js';
import { type Sql, sql } from '../../../db/sql.js';

export interface ItemFailure {
  uuid: string;
  item: number;
  email: string | null;
  error: string;
  cells?: string[] | null;
}

export async function insertFailures(
  tx: Transaction,
  tenantId: number,
  failures: readonly ItemFailure[],
): Promise<void> {
  if (failures.length === 0) return;
  await tx.run(sql`
    insert into write_failure (tenant_id, transaction_id, item, email, error, cells)
    select ${tenantId}, uuid, item, email, error, cells::json from unnest(${failures.map((f) => f.uuid)}::uuid[], ${failures.map((f) => f.item)}::integer[],
      ${failures.map((f) => f.email)}::text[], ${failures.map((f) => f.error)}::text[],
      ${failures.map((f) => (f.cells ? JSON.stringify(f.cells) : null))}::text[]) as f (uuid, item, email, error, cells)`);
}

export function selectFailures(db: Runner, tenantId: number, uuid: string): Promise<Omit<ItemFailure, 'uuid'>[]> {
  return db.rows(sql<Omit<ItemFailure, 'uuid'>>`
    select item, email, error from write_failure where tenant_id = ${tenantId} and transaction_id = ${uuid} order by item`);
}

/** Transactions with a failed item that carries this address. */
export async function selectFailedTransactions(tx: Transaction, tenantId: number, email: string): Promise<string[]> {
  const rows = await tx.rows(sql<{ uuid: string }>`
    select transaction_id as uuid from write_failure where tenant_id = ${tenantId} and email = ${email}`);
  return rows.map((row) => row.uuid);
}

/** A page of failures after an item, for a reader that goes through all of them. */
export function selectFailuresAfter(
  db: Runner,
  tenantId: number,
  uuid: string,
  after: number,
  limit: number,
): Promise<Omit<ItemFailure, 'uuid'>[]> {
  return db.rows(sql<Omit<ItemFailure, 'uuid'>>`
    select item, email, error, cells from write_failure
    where tenant_id = ${tenantId} and transaction_id = ${uuid} and item > ${after} order by item limit ${limit}`);
}

/** Failed items that carry an address, by key. */
export function selectFailuresOf(
  db: Runner,
  tenantId: number,
  email: string,
  after: { uuid: string; item: number } | undefined,
  limit: number,
): Promise<{ uuid: string; item: number; error: string; cells: unknown[] | null }[]> {
  const from = after ?? { uuid: '0'.repeat(32), item: -1 };
  return db.rows(sql<{ uuid: string; item: number; error: string; cells: unknown[] | null }>`
    select transaction_id as uuid, item, error, cells from write_failure
    where tenant_id = ${tenantId} and email = ${email} and (transaction_id, item) > (${from.uuid}::uuid, ${from.item})
    order by transaction_id, item limit ${limit}`);
}

/** Erasure: an address that failed items still carry is removed from them. */
export async function scrubFailures(tx: Transaction, tenantId: number, emails: readonly string[]): Promise<void> {
  await tx.run(
    sql`update write_failure set email = null, cells = null where tenant_id = ${tenantId} and email = any(${emails}::text[])`,
  );
}

/** What a write left. */
export interface FinishedResults<Results> {
  seq: number;
  uuid: string;
  results: Results;
}

/**
 * Of these places in the queue, the finished writes that are still there. One lookup a place. `which` says what an index holds, in
 * words of SQL: only then is it used whatever the values are.
 */
export function selectResults<Results>(
  db: Runner,
  tenantId: number,
  which: Sql,
  seqs: readonly number[],
): Promise<FinishedResults<Results>[]> {
  return db.rows(sql<FinishedResults<Results>>`
    select w.* from unnest(${seqs}::bigint[]) as s (seq) cross join lateral (
      select seq, transaction_id as uuid, results::json from write_transaction
      where tenant_id = ${tenantId} and seq = s.seq and status = 'DONE' and ${which} limit 1
    ) w`);
}

/** The same from a place in the queue on, a few at a time. */
export function selectResultsFrom<Results>(
  tx: Transaction,
  tenantId: number,
  which: Sql,
  from: number,
  atMost: number,
): Promise<FinishedResults<Results>[]> {
  return tx.rows(sql<FinishedResults<Results>>`
    select seq, transaction_id as uuid, results::json from write_transaction
    where tenant_id = ${tenantId} and seq >= ${from} and status = 'DONE' and ${which}
    order by seq limit ${atMost}`);
}

/** Erasure: results that name a person are written again without. */
export async function replaceResults(
  tx: Transaction,
  tenantId: number,
  writes: readonly { uuid: string; results: unknown }[],
): Promise<void> {
  if (writes.length === 0) return;
  await tx.run(sql`
    update write_transaction w set results = r.results
    from unnest(${writes.map((w) => w.uuid)}::uuid[], ${writes.map((w) => JSON.stringify(w.results))}::text[])
      as r (transaction_id, results)
    where w.tenant_id = ${tenantId} and w.transaction_id = r.transaction_id`);
}
