import type { Transaction } from '../../../db/database.js';
import { parseJson } from '../../../lib/parse-json.js';
import { selectPendingLong } from '../../transactions/index.js';
import { readItem } from '../read-item.js';
import { findChunkAfter, importKind, shortenChunk, type Upload } from './queries.js';

const erased = JSON.stringify('erased');

/**
 * Removes a person from imports that were acknowledged before the erasure and still wait: their rows would bring the
 * person back. Such a row ends as FAILED.
 */
export async function eraseFromImports(
  tx: Transaction,
  tenantId: number,
  email: string,
  beforeSeq: number,
): Promise<void> {
  for (const uuid of await selectPendingLong(tx, tenantId, importKind, beforeSeq))
    await eraseFrom(tx, { tenantId, uuid }, email);
}

/** Chunk by chunk, so that a long import needs little memory. */
async function eraseFrom(tx: Transaction, upload: Upload, email: string): Promise<void> {
  for (let after = -1; ; ) {
    const chunk = await findChunkAfter(tx, upload, after);
    if (!chunk) return;
    after = chunk.chunk;
    const rows = chunk.payload.split('\n');
    const kept = rows.map((row) => (readItem(parseJson(row)).email === email ? erased : row));
    if (kept.some((row, i) => row !== rows[i])) await shortenChunk(tx, upload, { ...chunk, payload: kept.join('\n') });
  }
}
