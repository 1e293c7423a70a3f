import type { PictureType } from '@rapport/contract';
import { counters, counterValue, intoCounters } from '../../db/counters.js';
import type { Database, Runner, Transaction } from '../../db/database.js';
import { type Page, type PageOf, paged } from '../../db/paged.js';
import { bytes, sql } from '../../db/sql.js';

export interface FileFacts {
  fileId: string;
  /** Hex: its public name. */
  hash: string;
  name: string;
  type: PictureType;
  width: number;
  height: number;
  size: number;
  createdAt: string;
}

const columns = sql`
  file_id as "fileId", hash, name, type, width, height, size, created_at as "createdAt"`;
const counter = counters.files;

/** Stores a file, or finds the one with the same content. The lock on it makes sure that it is still there when the transaction ends. */
export async function insertFile(
  tx: Transaction,
  by: { tenantId: number; accountId: number },
  file: Omit<FileFacts, 'createdAt'>,
  content: Buffer,
): Promise<{ file: FileFacts; isNew: boolean }> {
  const { tenantId, accountId } = by;
  const { fileId, hash, name, type, width, height, size } = file;
  const made = await tx.row(sql<FileFacts>`
    with made as (
      insert into file (tenant_id, file_id, hash, name, type, width, height, size, created_by)
      values (${tenantId}, ${bytes(fileId)}, ${bytes(hash)}, ${name}, ${type}, ${width}, ${height}, ${size}, ${accountId})
      on conflict (tenant_id, hash) do nothing returning *
    ), counted as (
      ${intoCounters} select tenant_id, ${counter}, 1 from made
    )
    select ${columns} from made`);
  if (made) {
    await tx.run(sql`
      insert into file_content (tenant_id, file_id, content) values (${tenantId}, ${bytes(fileId)}, ${content}::bytea)`);
    return { file: made, isNew: true };
  }
  const [known] = await holdFiles(tx, tenantId, [hash]);
  if (known) return { file: known, isNew: false };
  // It was deleted between the two statements.
  return insertFile(tx, by, file, content);
}

/** Those of the tenant among these. They cannot be deleted until the transaction ends. */
export function holdFiles(tx: Transaction, tenantId: number, hashes: readonly string[]): Promise<FileFacts[]> {
  return tx.rows(sql<FileFacts>`
    select ${columns} from file where tenant_id = ${tenantId} and hash = any(${hashes.map(bytes)}::bytea[])
    order by hash for key share`);
}

/** The same without a lock. */
export function selectFilesByHash(db: Runner, tenantId: number, hashes: readonly string[]): Promise<FileFacts[]> {
  return db.rows(sql<FileFacts>`
    select ${columns} from file where tenant_id = ${tenantId} and hash = any(${hashes.map(bytes)}::bytea[])`);
}

export function lockFile(tx: Transaction, tenantId: number, fileId: string): Promise<FileFacts | undefined> {
  return tx.row(sql<FileFacts>`
    select ${columns} from file where tenant_id = ${tenantId} and file_id = ${bytes(fileId)} for update`);
}

/** Its content goes with it. */
export async function deleteFileRow(tx: Transaction, tenantId: number, fileId: string): Promise<void> {
  await tx.run(sql`
    with gone as (delete from file where tenant_id = ${tenantId} and file_id = ${bytes(fileId)} returning tenant_id)
    ${intoCounters} select tenant_id, ${counter}, -1 from gone`);
}

export function selectFiles(db: Database, tenantId: number, { limit, offset }: PageOf): Promise<Page<FileFacts>> {
  const rows = sql<FileFacts>`
    select ${columns} from file where tenant_id = ${tenantId}
    order by created_at desc, file_id desc limit ${limit} offset ${offset}`;
  return paged(db, tenantId, { limit, offset }, { total: counterValue(tenantId, counter), rows });
}

export interface PublicFile {
  tenantId: number;
  fileId: string;
  type: PictureType;
  size: number;
}

/** The address of a file names no tenant: the hash alone finds it. */
export function findPublicFile(db: Runner, hash: string): Promise<PublicFile | undefined> {
  return db.row(sql<PublicFile>`
    /* all tenants */ select tenant_id as "tenantId", file_id as "fileId", type, size from file where hash = ${bytes(hash)}`);
}

/** A slice of the content. It is stored uncompressed, so only the slice is read. Undefined once the file is gone. */
export async function findSlice(
  db: Runner,
  { tenantId, fileId }: PublicFile,
  from: number,
  length: number,
): Promise<Buffer | undefined> {
  const row = await db.row(sql<{ slice: string }>`
    select substring(content from ${from + 1}::integer for ${length}::integer) as slice
    from file_content where tenant_id = ${tenantId} and file_id = ${bytes(fileId)}`);
  return row && Buffer.from(row.slice, 'hex');
}
