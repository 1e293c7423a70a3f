import type { Runner, Transaction } from '../../../db/database.js';
import { locks } from '../../../db/locks.js';
import { sql } from '../../../db/sql.js';

/** A file on its way: its rows are stored under the id that its transaction will have. */
export interface Upload {
  tenantId: number;
  /** 32 hex digits. */
  uuid: string;
}

export interface NewChunk {
  chunk: number;
  firstRow: number;
  rowCount: number;
  /** One item a line, in JSON. */
  payload: string;
}

export async function insertChunk(db: Runner, { tenantId, uuid }: Upload, chunk: NewChunk): Promise<void> {
  await db.run(sql`
    insert into import_chunk (tenant_id, transaction_id, chunk, first_row, row_count, payload)
    values (${tenantId}, ${uuid}, ${chunk.chunk}, ${chunk.firstRow}, ${chunk.rowCount}, ${chunk.payload})`);
}

/** Whoever acknowledges an upload and whoever removes it go one after the other. Must be a statement of its own. */
export async function lockUpload(tx: Transaction, { uuid }: Upload): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${uuid}, ${locks.upload}))`);
}

export async function countStagedRows(tx: Transaction, { tenantId, uuid }: Upload): Promise<number> {
  const row = await tx.row(sql<{ rows: number }>`
    select coalesce(sum(row_count), 0)::bigint as rows from import_chunk
    where tenant_id = ${tenantId} and transaction_id = ${uuid}`);
  return row?.rows ?? 0;
}

/** Removes an upload, unless it has become a transaction. */
export async function deleteUnacknowledged(tx: Transaction, { tenantId, uuid }: Upload): Promise<void> {
  await tx.run(sql`
    delete from import_chunk where tenant_id = ${tenantId} and transaction_id = ${uuid} and not exists (
      select from write_transaction where tenant_id = ${tenantId} and transaction_id = ${uuid})`);
}

/** Uploads that nobody acknowledged, and to which nothing was added for so long. */
export function selectOrphans(db: Runner, hours: number, atMost: number): Promise<Upload[]> {
  return db.rows(sql<Upload>`
    select tenant_id as "tenantId", transaction_id as uuid from import_chunk c
    where staged_at < now() - make_interval(hours => ${hours}) and not exists (
      select from write_transaction w where w.tenant_id = c.tenant_id and w.transaction_id = c.transaction_id)
    group by tenant_id, transaction_id
    having not exists (
      select from import_chunk later where later.tenant_id = c.tenant_id and later.transaction_id = c.transaction_id
      and later.staged_at >= now() - make_interval(hours => ${hours}))
    limit ${atMost}`);
}

/** Where an import goes on. Nothing when no rows are left. */
export function findFirstChunk(tx: Transaction, { tenantId, uuid }: Upload): Promise<NewChunk | undefined> {
  return tx.row(sql<NewChunk>`
    select chunk, first_row as "firstRow", row_count as "rowCount", payload from import_chunk
    where tenant_id = ${tenantId} and transaction_id = ${uuid} order by chunk limit 1`);
}

export async function deleteChunk(tx: Transaction, { tenantId, uuid }: Upload, chunk: number): Promise<void> {
  await tx.run(sql`
    delete from import_chunk where tenant_id = ${tenantId} and transaction_id = ${uuid} and chunk = ${chunk}`);
}

/** Leaves of a chunk what was not applied yet. */
export async function shortenChunk(tx: Transaction, { tenantId, uuid }: Upload, rest: NewChunk): Promise<void> {
  await tx.run(sql`
    update import_chunk set first_row = ${rest.firstRow}, row_count = ${rest.rowCount}, payload = ${rest.payload}
    where tenant_id = ${tenantId} and transaction_id = ${uuid} and chunk = ${rest.chunk}`);
}

/** Chunks of acknowledged imports that wait, in key order. */
export function selectWaitingChunks(
  tx: Transaction,
  tenantId: number,
  beforeSeq: number,
  after: { uuid: string; chunk: number } | undefined,
  atMost: number,
): Promise<(NewChunk & { uuid: string })[]> {
  const { uuid, chunk } = after ?? { uuid: '0'.repeat(32), chunk: 0 };
  return tx.rows(sql<NewChunk & { uuid: string }>`
    select c.transaction_id as uuid, c.chunk, c.first_row as "firstRow", c.row_count as "rowCount", c.payload
    from write_transaction w join import_chunk c using (tenant_id, transaction_id)
    where w.tenant_id = ${tenantId} and w.status = 'PENDING' and w.is_long and w.seq < ${beforeSeq}
      and (c.transaction_id, c.chunk) > (${uuid}::uuid, ${chunk}::integer)
    order by c.transaction_id, c.chunk limit ${atMost}`);
}
