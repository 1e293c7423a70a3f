import type { Runner, Transaction } from '../../../db/database.js';
import { locks } from '../../../db/locks.js';
import { sql } from '../../../db/sql.js';

export const importKind = 'contact.import';
/** Written as in the index, so that the index is used. */
export const isImport = sql`kind = 'contact.import'`;

/** A file being uploaded. Its rows are stored under the id that its transaction will have. */
export interface Upload {
  tenantId: number;
  /** 32 hex digits. */
  uuid: string;
}

/** How many blank lines precede this row in the file. */
export type Gap = readonly [row: number, blankLines: number];

export interface NewChunk {
  chunk: number;
  firstRow: number;
  rowCount: number;
  /** One JSON item per line. */
  payload: string;
  gaps: readonly Gap[] | null;
}

export async function insertChunk(db: Runner, { tenantId, uuid }: Upload, chunk: NewChunk): Promise<void> {
  await db.run(sql`
    insert into import_chunk (tenant_id, transaction_id, chunk, first_row, row_count, payload, gaps)
    values (${tenantId}, ${uuid}, ${chunk.chunk}, ${chunk.firstRow}, ${chunk.rowCount}, ${chunk.payload},
      ${chunk.gaps?.length ? JSON.stringify(chunk.gaps) : null}::json)`);
}

/** Serializes acknowledging and removing an upload. Must be a statement of its own. */
export async function lockUpload(tx: Transaction, { uuid }: Upload): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${uuid}, ${locks.upload}))`);
}

export async function countStagedRows(tx: Transaction, { tenantId, uuid }: Upload): Promise<number> {
  const row = await tx.row(sql<{ rows: number }>`
    select coalesce(sum(row_count), 0)::bigint as rows from import_chunk
    where tenant_id = ${tenantId} and transaction_id = ${uuid}`);
  return row?.rows ?? 0;
}

export async function deleteUpload(tx: Transaction, { tenantId, uuid }: Upload): Promise<void> {
  await tx.run(sql`delete from import_chunk where tenant_id = ${tenantId} and transaction_id = ${uuid}`);
}

/** Uploads that nothing was added to for this long, after a key. Most of them are waiting to be applied. */
export function selectOldUploads(
  db: Runner,
  hours: number,
  after: Upload | undefined,
  atMost: number,
): Promise<Upload[]> {
  const { tenantId, uuid } = after ?? { tenantId: 0, uuid: '0'.repeat(32) };
  return db.rows(sql<Upload>`
    /* all tenants */ select tenant_id as "tenantId", transaction_id as uuid from import_chunk
    where (tenant_id, transaction_id) > (${tenantId}, ${uuid}::uuid)
    group by tenant_id, transaction_id having max(staged_at) < now() - make_interval(hours => ${hours})
    order by tenant_id, transaction_id limit ${atMost}`);
}

export async function deleteChunk(tx: Transaction, { tenantId, uuid }: Upload, chunk: number): Promise<void> {
  await tx.run(sql`
    delete from import_chunk where tenant_id = ${tenantId} and transaction_id = ${uuid} and chunk = ${chunk}`);
}

/** Keeps only the rows of a chunk that were not applied yet. */
export async function shortenChunk(
  tx: Transaction,
  { tenantId, uuid }: Upload,
  rest: Omit<NewChunk, 'gaps'>,
): Promise<void> {
  await tx.run(sql`
    update import_chunk set first_row = ${rest.firstRow}, row_count = ${rest.rowCount}, payload = ${rest.payload}
    where tenant_id = ${tenantId} and transaction_id = ${uuid} and chunk = ${rest.chunk}`);
}

/** The next chunk of an import. */
export function findChunkAfter(db: Runner, { tenantId, uuid }: Upload, after: number): Promise<NewChunk | undefined> {
  return db.row(sql<NewChunk>`
    select chunk, first_row as "firstRow", row_count as "rowCount", payload, gaps from import_chunk
    where tenant_id = ${tenantId} and transaction_id = ${uuid} and chunk > ${after} order by chunk limit 1`);
}
