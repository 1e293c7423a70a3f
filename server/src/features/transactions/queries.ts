import type { Database, Runner, Transaction } from '../../db/database.js';
import { type Page, type PageOf, paged } from '../../db/paged.js';
import { type Sql, sql } from '../../db/sql.js';
import type { TraceParent } from '../../lib/tracing.js';
import { headsOf } from '../../work/heads.js';
import type { Waiting } from '../../work/queue.js';
import type { FailedAttempt } from '../../work/take-turn.js';
import { keepTraces } from '../../work/traces.js';

/** Tables that features above may read. Only this feature writes them: see scripts/table-owners.js. */
export const writeTransactionTable = sql`write_transaction`;

export interface NewWrite {
  tenantId: number;
  /** 32 hex digits. */
  uuid: string;
  kind: string;
  items: number;
  payload: string;
  /** Applied in steps, beside the others. */
  isLong?: boolean;
  /** Milliseconds that it waits for similar writes, unless something else of the tenant waits: applied together they cost a fraction. */
  gatherMs?: number;
  /** The trace that it is part of; null: none. Undefined: what is recorded when it is stored. */
  trace?: TraceParent | null;
}

// Characters of payload. In an array each payload would be quoted here and unquoted there: for a batch of 500 events that took longer than
// anything else. Many short ones are better in arrays, because their statement is always the same.
const longPayload = 4096;

/** Acknowledges many writes in one statement. Their order in the array is their order in the queue. */
export async function insertWrites(
  db: Runner,
  writes: readonly NewWrite[],
): Promise<{ uuid: string; createdAt: string }[]> {
  await keepTraces(db, writes, ({ tenantId, uuid, trace }) => ({ tenantId, workId: uuid, trace }));
  const isLong = writes.length <= 16 && writes.some((write) => write.payload.length > longPayload);
  const rows = isLong ? writes.map(rowOf).reduce((before, row) => sql`${before}, ${row}`) : undefined;
  return db.rows(sql<{ uuid: string; createdAt: string }>`
    insert into write_transaction (tenant_id, transaction_id, kind, items, payload, is_long, due_at)
    ${rows ? sql`values ${rows}` : selectOf(writes)}
    returning transaction_id as uuid, created_at as "createdAt"`);
}

function rowOf({ tenantId, uuid, kind, items, payload, isLong = false, gatherMs }: NewWrite): Sql {
  return sql`(${tenantId}::bigint, ${uuid}::uuid, ${kind}::text, ${items}::integer, ${payload}::text, ${isLong}::boolean,
    now() + ${gatherMs ?? null}::float8 * interval '1 ms')`;
}

function selectOf(writes: readonly NewWrite[]): Sql {
  return sql`
    select tenant_id, transaction_id, kind, items, payload, is_long, now() + gather_ms * interval '1 ms'
    from unnest(${writes.map((w) => w.tenantId)}::bigint[], ${writes.map((w) => w.uuid)}::uuid[],
      ${writes.map((w) => w.kind)}::text[], ${writes.map((w) => w.items)}::integer[], ${writes.map((w) => w.payload)}::text[],
      ${writes.map((w) => w.isLong ?? false)}::boolean[], ${writes.map((w) => w.gatherMs ?? null)}::float8[])
      with ordinality as w (tenant_id, transaction_id, kind, items, payload, is_long, gather_ms, ord)
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
  finishedAt: string | null;
}
const columns = sql`transaction_id as uuid, kind, status, items, payload, results, created_at as "createdAt", finished_at as "finishedAt"`;

export function findTransaction(db: Runner, tenantId: number, uuid: string): Promise<TransactionRow | undefined> {
  return db.row(sql<TransactionRow>`
    select ${columns} from write_transaction where tenant_id = ${tenantId} and transaction_id = ${uuid}`);
}

/** Newest first. `which`: a condition on `kind` that an index has too. A row may include a long header. */
export function listTransactions(
  db: Database,
  tenantId: number,
  which: Sql,
  page: PageOf,
): Promise<Page<TransactionRow>> {
  const own = sql`write_transaction where tenant_id = ${tenantId} and ${which}`;
  const total = sql`(select count(*) from ${own})`;
  const rows = sql<TransactionRow>`
    select ${columns} from ${own} order by seq desc limit ${page.limit} offset ${page.offset}`;
  return paged(db, tenantId, { ...page, isFat: true }, { total, rows });
}

export const short = sql`status = 'PENDING' and not is_long`;
export const long = sql`status = 'PENDING' and is_long`;

// How many writes to look at: fewer than this gather in the allowed time.
const mostGathered = 256;

/** The oldest short or long write of a tenant. */
export interface Head {
  tenantId: number;
  isLong: boolean;
  seq: number;
  kind: string;
  items: number;
  /** Milliseconds until it is due; nearly always 0. */
  waitMs: number;
}

export function selectHeads(db: Runner): Promise<Head[]> {
  const columns = sql`is_long, seq, kind, items, due_at, attempts`;
  // A write that gathers others waits only for those: anything else behind it makes it due.
  const dueAt = sql`case when due_at is null or attempts > 0 or is_long then due_at else (
      select min(coalesce(w.due_at, w.created_at)) from (
        select due_at, created_at from write_transaction where tenant_id = heads.tenant_id and ${short} order by seq limit ${mostGathered}
      ) w) end`;
  return db.rows(sql<Head>`
    select tenant_id as "tenantId", is_long as "isLong", seq, kind, items,
      coalesce(ceil(extract(epoch from ${dueAt} - clock_timestamp()) * 1000), 0)::float8 as "waitMs"
    from (
      ${headsOf(sql`write_transaction`, short, sql`seq`, columns)} union all
      ${headsOf(sql`write_transaction`, long, sql`seq`, columns)}
    ) heads`);
}

/** What waits, by tenant and kind, with the state of the oldest of each. Reads every waiting row once. */
export function selectWaiting(db: Runner): Promise<Waiting[]> {
  const oldest = sql`(array_agg(attempts order by seq))[1]::integer as attempts,
    (array_agg(last_error order by seq))[1] as "lastError", (array_agg(case when attempts > 0 then due_at end order by seq))[1] as "dueAt"`;
  const waiting = (which: Sql) => sql`
    /* all tenants */ select tenant_id as "tenantId", kind, count(*) as count, min(created_at) as since, ${oldest}
    from write_transaction where ${which} group by tenant_id, kind`;
  return db.rows(sql<Waiting>`${waiting(short)} union all ${waiting(long)}`);
}

export interface PendingWrite {
  seq: number;
  uuid: string;
  kind: string;
  items: number;
  /** Empty if the body is held. */
  payload: string;
  /** The parsed payload, if this process holds it: see handover.ts. */
  body?: unknown;
  /** When it was acknowledged. */
  createdAt: string;
  /** How often it, or one before it, failed. */
  attempts: number;
  dueAt: string | null;
}

/**
 * The oldest writes of a tenant, as many as fit: `count` transactions, or as many as reach `items` items or as much text as a process should
 * hold. The length of a payload is known without reading it. A long write that takes a turn or two counts like any other: later ones wait for
 * it. They do not wait for a larger one. `held`: writes whose payload is not read.
 */
export function selectPending(
  tx: Transaction,
  tenantId: number,
  count: number,
  items: number,
  held: readonly string[] = [],
): Promise<PendingWrite[]> {
  return tx.rows(sql<PendingWrite>`
    select seq, transaction_id as uuid, kind, items,
      case when transaction_id = any(${held}::uuid[]) then '' else payload end as payload,
      created_at as "createdAt", attempts, due_at as "dueAt" from (
      select *, sum(items) over (order by seq) - items as before,
        sum(octet_length(payload)) over (order by seq) - octet_length(payload) as text_before from (
        select seq, transaction_id, kind, items, payload, created_at, attempts, due_at from write_transaction
        where tenant_id = ${tenantId} and ${short}
          and seq < coalesce((
            select case when items <= ${smallLong} then seq end from write_transaction
            where tenant_id = ${tenantId} and ${long} order by seq limit 1
          ), 9223372036854775807)
        order by seq limit ${count}
      ) oldest
    ) counted where before < ${items} and text_before < ${mostText} order by seq`);
}

// Bytes. A request has at most 10 MiB, so a turn reads 12 MiB at most; 512 of the largest would be 5 GiB.
const mostText = 2 * 1024 * 1024;

// Items. Two steps of an import, about 0.1 s: as long as a turn with the most items takes.
export const smallLong = 4000;

export function isSmall(items: number): boolean {
  return items <= smallLong;
}

/** A write that is applied in steps, and its progress. */
export interface LongWrite {
  uuid: string;
  seq: number;
  kind: string;
  items: number;
  results: string | null;
  payload: string | null;
  /** When it was acknowledged. */
  createdAt: string;
  attempts: number;
  dueAt: string | null;
}

/** The tenant's oldest long write. It waits while writes that were acknowledged before it are pending: they come first. */
export function findDueLong(tx: Transaction, tenantId: number): Promise<LongWrite | undefined> {
  return tx.row(sql<LongWrite>`
    select transaction_id as uuid, seq, kind, items, results, payload, created_at as "createdAt", attempts, due_at as "dueAt"
    from (
      select * from write_transaction where tenant_id = ${tenantId} and ${long} order by seq limit 1
    ) w where seq < coalesce((
      select seq from write_transaction where tenant_id = ${tenantId} and ${short} order by seq limit 1
    ), seq + 1)`);
}

export async function markLong(tx: Transaction, tenantId: number, writes: readonly { uuid: string }[]): Promise<void> {
  await tx.run(sql`
    update write_transaction set is_long = true
    where tenant_id = ${tenantId} and transaction_id = any(${writes.map((write) => write.uuid)}::uuid[])`);
}

/** Stores that an attempt failed; the first of these writes is due later. */
export async function postponeWrites(
  tx: Transaction,
  tenantId: number,
  writes: readonly { uuid: string }[],
  { attempts, error, waitMs }: FailedAttempt,
): Promise<void> {
  await tx.run(sql`
    update write_transaction set attempts = greatest(attempts, ${attempts}), last_error = ${error},
      due_at = case when transaction_id = ${writes[0]?.uuid} then clock_timestamp() + ${waitMs}::float8 * interval '1 ms' end
    where tenant_id = ${tenantId} and transaction_id = any(${writes.map((write) => write.uuid)}::uuid[])`);
}

interface FinishedWrite {
  uuid: string;
  results: string;
}

/**
 * One lookup per key, whatever the planner estimates: before the table was analyzed, a join read a backlog of 50,000 once per write: 400 writes
 * a second instead of 21,000.
 */
export async function finishWrites(tx: Transaction, tenantId: number, writes: readonly FinishedWrite[]): Promise<void> {
  const touched = await tx.run(sql`
    update write_transaction w set status = 'DONE', payload = null, results = f.results, finished_at = now(), last_error = null,
      due_at = null
    from (
      select found.at, f.results
      from unnest(${writes.map((w) => w.uuid)}::uuid[], ${writes.map((w) => w.results)}::text[]) as f (transaction_id, results)
      cross join lateral (
        select ctid as at from write_transaction where tenant_id = ${tenantId} and transaction_id = f.transaction_id limit 1
      ) found
    ) f
    where w.tenant_id = ${tenantId} and w.ctid = f.at and w.status = 'PENDING'`);
  if (touched !== writes.length)
    throw new Error(`Finished ${touched} of ${writes.length} writes: another worker changed the rest`);
}

/** Results so far of a write that is applied in steps. */
export async function storeProgress(
  tx: Transaction,
  tenantId: number,
  uuid: string,
  results: string,
  attempts: number,
): Promise<void> {
  await tx.run(sql`
    update write_transaction set results = ${results}, attempts = ${attempts}, due_at = null,
      last_error = case when ${attempts}::integer > 0 then last_error end
    where tenant_id = ${tenantId} and transaction_id = ${uuid} and status = 'PENDING'`);
}

/** Removes transactions that finished more than `days` ago, a few at a time. Returns how many. */
export function sweepTransactions(db: Runner, days: number, atMost: number): Promise<number> {
  return db.run(sql`
    /* all tenants */ with old as (
      select tenant_id, transaction_id from write_transaction
      where status = 'DONE' and finished_at < now() - make_interval(days => ${days}) order by finished_at limit ${atMost}
    ), failures as (
      delete from write_failure f using old where f.tenant_id = old.tenant_id and f.transaction_id = old.transaction_id
    )
    delete from write_transaction w using old
    where w.tenant_id = old.tenant_id and w.transaction_id = old.transaction_id`);
}

/** Returns which of these ids became transactions. */
export async function selectAcknowledged(
  db: Runner,
  ids: readonly { tenantId: number; uuid: string }[],
): Promise<Set<string>> {
  const rows = await db.rows(sql<{ uuid: string }>`
    select w.transaction_id as uuid from write_transaction w
    join unnest(${ids.map((id) => id.tenantId)}::bigint[], ${ids.map((id) => id.uuid)}::uuid[]) as u (tenant_id, uuid)
      on w.tenant_id = u.tenant_id and w.transaction_id = u.uuid`);
  return new Set(rows.map((row) => row.uuid));
}
