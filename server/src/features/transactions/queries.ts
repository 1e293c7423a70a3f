import type { Database, Runner, Transaction } from '../../db/database.js';
import { type Sql, sql } from '../../db/sql.js';

export interface NewWrite {
  tenantId: number;
  /** 32 hex digits. */
  uuid: string;
  kind: string;
  items: number;
  payload: string;
}

// Characters of payload. In an array each would be quoted on this side and unquoted on the other: for a batch of 500 events
// that took longer than anything else. Many short ones are better off in arrays, whose statement is always the same.
const longPayload = 4096;

/** Acknowledges many writes in one statement. Their order in the array is their order in the queue. */
export function insertWrites(db: Runner, writes: readonly NewWrite[]): Promise<{ uuid: string; createdAt: string }[]> {
  const isLong = writes.length <= 16 && writes.some((write) => write.payload.length > longPayload);
  const rows = isLong ? writes.map(rowOf).reduce((before, row) => sql`${before}, ${row}`) : undefined;
  return db.rows(sql<{ uuid: string; createdAt: string }>`
    insert into write_transaction (tenant_id, transaction_id, kind, items, payload)
    ${rows ? sql`values ${rows}` : selectOf(writes)}
    returning transaction_id as uuid, created_at as "createdAt"`);
}

function rowOf({ tenantId, uuid, kind, items, payload }: NewWrite): Sql {
  return sql`(${tenantId}::bigint, ${uuid}::uuid, ${kind}::text, ${items}::integer, ${payload}::text)`;
}

function selectOf(writes: readonly NewWrite[]): Sql {
  return sql`
    select tenant_id, transaction_id, kind, items, payload
    from unnest(${writes.map((w) => w.tenantId)}::bigint[], ${writes.map((w) => w.uuid)}::uuid[],
      ${writes.map((w) => w.kind)}::text[], ${writes.map((w) => w.items)}::integer[], ${writes.map((w) => w.payload)}::text[])
      with ordinality as w (tenant_id, transaction_id, kind, items, payload, ord)
    order by ord`;
}

export interface TransactionRow {
  uuid: string;
  kind: string;
  status: 'PENDING' | 'DONE';
  items: number;
  payload: string | null;
  results: string | null;
  createdAt: string;
}

export function findTransaction(db: Runner, tenantId: number, uuid: string): Promise<TransactionRow | undefined> {
  return db.row(sql<TransactionRow>`
    select transaction_id as uuid, kind, status, items, payload, results, created_at as "createdAt"
    from write_transaction where tenant_id = ${tenantId} and transaction_id = ${uuid}`);
}

/** Tenants that have work. Hops through the index from tenant to tenant, so a long queue costs no more than a short one. */
export async function tenantsWithWork(db: Runner): Promise<number[]> {
  const rows = await db.rows(sql<{ tenant_id: number }>`
    ${hopThrough(sql`status = 'PENDING' and kind <> 'contact.import'`)}
    union
    ${hopThrough(sql`status = 'PENDING' and kind = 'contact.import'`)}`);
  return rows.map((row) => row.tenant_id);
}

function hopThrough(pending: Sql): Sql {
  return sql`(with recursive hop as (
      (select tenant_id from write_transaction where ${pending} order by tenant_id limit 1)
      union all
      select (select w.tenant_id from write_transaction w where ${pending} and w.tenant_id > hop.tenant_id
              order by w.tenant_id limit 1)
      from hop where hop.tenant_id is not null
    ) select tenant_id from hop where tenant_id is not null)`;
}

/**
 * One worker a tenant at a time: this keeps the order. Held until the transaction ends. Must be a statement of its own:
 * the next one then takes its snapshot after the lock, and sees what the last holder finished. The time is read after
 * the lock too: the transaction's own may be older than what the last holder wrote.
 */
export async function lockTenant(tx: Transaction, tenantId: number): Promise<string | undefined> {
  const row = await tx.row(sql<{ locked: boolean; now: string }>`
    select pg_try_advisory_xact_lock(${lockClass}::integer, ${tenantId}::integer) as locked, clock_timestamp() as now`);
  return row?.locked ? row.now : undefined;
}
const lockClass = 7_237_002;

export interface PendingWrite {
  seq: number;
  uuid: string;
  kind: string;
  items: number;
  payload: string;
  /** When it was acknowledged. */
  createdAt: string;
}

/**
 * The oldest writes of a tenant, as many as fit: `count` transactions, or the first ones that reach `items` items or so much
 * text that a process should not hold more. The length of a payload is known without reading it. An import that a turn or
 * two can apply is a write like any other: later ones wait for it. They do not wait for a larger one.
 */
export function selectPending(
  tx: Transaction,
  tenantId: number,
  count: number,
  items: number,
): Promise<PendingWrite[]> {
  return tx.rows(sql<PendingWrite>`
    select seq, transaction_id as uuid, kind, items, payload, created_at as "createdAt" from (
      select *, sum(items) over (order by seq) - items as before,
        sum(octet_length(payload)) over (order by seq) - octet_length(payload) as text_before from (
        select seq, transaction_id, kind, items, payload, created_at from write_transaction
        where tenant_id = ${tenantId} and status = 'PENDING' and kind <> 'contact.import'
          and seq < coalesce((
            select case when items <= ${smallImport} then seq end from write_transaction
            where tenant_id = ${tenantId} and status = 'PENDING' and kind = 'contact.import' order by seq limit 1
          ), 9223372036854775807)
        order by seq limit ${count}
      ) oldest
    ) counted where before < ${items} and text_before < ${mostText} order by seq`);
}

// Bytes. A request has at most 10 MiB, so a turn reads 26 MiB at most; 512 of the largest would be 5 GiB.
const mostText = 16 * 1024 * 1024;

// Rows. Two chunks, about 0.1 s: as long as a turn with the most items takes.
const smallImport = 4000;

export interface FinishedWrite {
  uuid: string;
  results: string;
}

export async function finishWrites(tx: Transaction, tenantId: number, writes: readonly FinishedWrite[]): Promise<void> {
  const touched = await tx.run(sql`
    update write_transaction w set status = 'DONE', payload = null, results = f.results, finished_at = now()
    from unnest(${writes.map((w) => w.uuid)}::uuid[], ${writes.map((w) => w.results)}::text[]) as f (transaction_id, results)
    where w.tenant_id = ${tenantId} and w.transaction_id = f.transaction_id and w.status = 'PENDING'`);
  if (touched !== writes.length)
    throw new Error(`Finished ${touched} of ${writes.length} writes: somebody else was here`);
}

/** Results so far, of a write that is applied in steps. */
export async function storeProgress(tx: Transaction, tenantId: number, uuid: string, results: string): Promise<void> {
  await tx.run(sql`
    update write_transaction set results = ${results}
    where tenant_id = ${tenantId} and transaction_id = ${uuid} and status = 'PENDING'`);
}

export interface ItemFailure {
  uuid: string;
  item: number;
  email: string | null;
  error: string;
}

export async function insertFailures(
  tx: Transaction,
  tenantId: number,
  failures: readonly ItemFailure[],
): Promise<void> {
  if (failures.length === 0) return;
  await tx.run(sql`
    insert into write_failure (tenant_id, transaction_id, item, email, error)
    select ${tenantId}, * from unnest(${failures.map((f) => f.uuid)}::uuid[], ${failures.map((f) => f.item)}::integer[],
      ${failures.map((f) => f.email)}::text[], ${failures.map((f) => f.error)}::text[])`);
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
    select item, email, error from write_failure
    where tenant_id = ${tenantId} and transaction_id = ${uuid} and item > ${after} order by item limit ${limit}`);
}

/** Erasure: an address that failed items still carry is removed from them. */
export async function scrubFailures(tx: Transaction, tenantId: number, emails: readonly string[]): Promise<void> {
  await tx.run(
    sql`update write_failure set email = null where tenant_id = ${tenantId} and email = any(${emails}::text[])`,
  );
}

/** Removes transactions that finished more than `days` ago, a few at a time. Answers how many. */
export function sweepTransactions(db: Database, days: number, atMost: number): Promise<number> {
  return db.patient.run(sql`
    with old as (
      select tenant_id, transaction_id from write_transaction
      where status = 'DONE' and finished_at < now() - make_interval(days => ${days}) order by finished_at limit ${atMost}
    ), failures as (
      delete from write_failure f using old where f.tenant_id = old.tenant_id and f.transaction_id = old.transaction_id
    )
    delete from write_transaction w using old
    where w.tenant_id = old.tenant_id and w.transaction_id = old.transaction_id`);
}

/** The newest pending write of some kinds. */
export async function lastPending(db: Runner, tenantId: number, kinds: readonly string[]): Promise<number | undefined> {
  const row = await db.row(sql<{ seq: number }>`
    select seq from write_transaction
    where tenant_id = ${tenantId} and status = 'PENDING' and kind <> 'contact.import' and kind = any(${kinds}::text[])
    order by seq desc limit 1`);
  return row?.seq;
}

export async function isPending(db: Runner, tenantId: number, seq: number): Promise<boolean> {
  const row = await db.row(sql`
    select 1 from write_transaction
    where tenant_id = ${tenantId} and seq = ${seq} and status = 'PENDING' and kind <> 'contact.import'`);
  return row !== undefined;
}
