// What writes leave behind: failed items, and results that an erasure must find.
import type { Runner, Transaction } from '../../../db/database.js';
import { type Sql, sql } from '../../../db/sql.js';
import type { Failure } from '../appliers.js';

interface ItemFailure extends Failure {
  uuid: string;
}

export async function insertFailures(
  tx: Transaction,
  tenantId: number,
  failures: readonly ItemFailure[],
): Promise<void> {
  if (failures.length === 0) return;
  await tx.run(sql`
    insert into write_failure (tenant_id, transaction_id, item, email, error, row_number, cells)
    select ${tenantId}, uuid, item, email, error, row_number, original::json
    from unnest(${failures.map((f) => f.uuid)}::uuid[], ${failures.map((f) => f.item)}::integer[],
      ${failures.map((f) => f.email)}::text[], ${failures.map((f) => f.error)}::text[],
      ${failures.map((f) => f.row ?? null)}::integer[], ${failures.map((f) => f.original ?? null)}::text[])
      as f (uuid, item, email, error, row_number, original)`);
}

export function selectFailures(db: Runner, tenantId: number, uuid: string): Promise<Failure[]> {
  return db.rows(sql<Failure>`
    select item, email, error from write_failure where tenant_id = ${tenantId} and transaction_id = ${uuid} order by item`);
}

/** Transactions with a failed item that carries this address. */
export async function selectFailedTransactions(tx: Transaction, tenantId: number, email: string): Promise<string[]> {
  const rows = await tx.rows(sql<{ uuid: string }>`
    select transaction_id as uuid from write_failure where tenant_id = ${tenantId} and email = ${email}`);
  return rows.map((row) => row.uuid);
}

// Bytes as stored, compressed by up to a hundred: a page of the longest rows takes 25 MB in memory at most.
const mostStored = 256 * 1024;

export interface FailedRow extends Pick<Failure, 'item' | 'email' | 'error'> {
  row: number | null;
  /** In JSON. */
  original: string | null;
}

/** A page of failures after an item, for a reader that goes through all of them. Fewer if their rows are long. */
export function selectFailuresAfter(
  db: Runner,
  tenantId: number,
  uuid: string,
  after: number,
  limit: number,
): Promise<FailedRow[]> {
  return db.rows(sql<FailedRow>`
    select item, email, error, row_number as "row", cells::text as original from (
      select *, sum(pg_column_size(cells)) over (order by item rows between unbounded preceding and 1 preceding) as before from (
        select item, email, error, row_number, cells from write_failure
        where tenant_id = ${tenantId} and transaction_id = ${uuid} and item > ${after} order by item limit ${limit}
      ) page
    ) sized where coalesce(before, 0) < ${mostStored} order by item`);
}

interface FailureOf extends Pick<ItemFailure, 'uuid' | 'item' | 'error'> {
  /** From a row of a CSV file. */
  cells: unknown[] | null;
  /** From an NDJSON file. */
  line: Record<string, unknown> | null;
}

/** Failed items that carry an address, by key. Fewer than `limit` if their rows are long; none at the end. */
export function selectFailuresOf(
  db: Runner,
  tenantId: number,
  email: string,
  after: { uuid: string; item: number } | undefined,
  limit: number,
): Promise<FailureOf[]> {
  const from = after ?? { uuid: '0'.repeat(32), item: -1 };
  return db.rows(sql<FailureOf>`
    select uuid, item, error, case json_typeof(cells) when 'array' then cells end as cells,
      case json_typeof(cells) when 'object' then cells end as line
    from (
      select *, sum(pg_column_size(cells)) over (order by uuid, item rows between unbounded preceding and 1 preceding) as before from (
        select transaction_id as uuid, item, error, cells from write_failure
        where tenant_id = ${tenantId} and email = ${email} and (transaction_id, item) > (${from.uuid}::uuid, ${from.item})
        order by transaction_id, item limit ${limit}
      ) page
    ) sized where coalesce(before, 0) < ${mostStored} order by uuid, item`);
}

/** Erasure: removes an address from the failed items that still contain it. */
export async function scrubFailures(tx: Transaction, tenantId: number, emails: readonly string[]): Promise<void> {
  await tx.run(
    sql`update write_failure set email = null, cells = null where tenant_id = ${tenantId} and email = any(${emails}::text[])`,
  );
}

/** The results of a write. */
export interface FinishedResults<Results> {
  seq: number;
  uuid: string;
  results: Results;
}

/**
 * The finished writes at these positions in the queue. One lookup per position. `which` repeats the condition of an index in SQL: only then is the
 * index used whatever the values are.
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

/** The same from a position in the queue on, a few at a time. */
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

/** Erasure: rewrites results that name a person, without them. */
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
