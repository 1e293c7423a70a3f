import type { Transaction } from '../../../db/database.js';
import { readItem } from '../read-item.js';
import { selectWaitingChunks, shortenChunk } from './queries.js';

const erased = JSON.stringify('erased');

/**
 * Takes a person out of imports that were acknowledged before the erasure and still wait: their rows would bring the
 * person back. Such a row ends as FAILED. Chunk by chunk, so that a long import needs little memory.
 */
export async function eraseFromImports(
  tx: Transaction,
  tenantId: number,
  email: string,
  beforeSeq: number,
): Promise<void> {
  let after: { uuid: string; chunk: number } | undefined;
  for (;;) {
    const [chunk] = await selectWaitingChunks(tx, tenantId, beforeSeq, after, 1);
    if (!chunk) return;
    after = chunk;
    const rows = chunk.payload.split('\n');
    const kept = rows.map((row) => (readItem(JSON.parse(row)).email === email ? erased : row));
    if (kept.some((row, i) => row !== rows[i])) {
      await shortenChunk(tx, { tenantId, uuid: chunk.uuid }, { ...chunk, payload: kept.join('\n') });
    }
  }
}
