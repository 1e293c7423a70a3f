import type { Database } from '../../../db/database.js';
import { type Gap, insertChunk, type Upload } from './queries.js';

export interface ReadRows {
  /** JSON text. */
  rows: string[];
  /** How many blank lines precede each row. */
  blanks: number[];
}

// The worker applies one chunk per turn: small enough that another write of the tenant waits only tens of milliseconds.
const mostRows = 2000;
const mostCharacters = 512 * 1024;

/**
 * Stores rows as they arrive, committing each chunk. The next rows are read only when a chunk is stored, so a fast client waits
 * for the database and memory holds one chunk. Returns the number of rows.
 */
export async function stageRows(db: Database, upload: Upload, parts: AsyncIterable<ReadRows>): Promise<number> {
  let chunk = 0;
  let firstRow = 0;
  let rows: string[] = [];
  let characters = 0;
  let gaps: Gap[] = [];
  let blankLines = 0;

  async function store(): Promise<void> {
    if (rows.length === 0) return;
    const rowCount = rows.length;
    const payload = rows.join('\n');
    await db.upload(upload.tenantId, (tx) => insertChunk(tx, upload, { chunk, firstRow, rowCount, payload, gaps }));
    chunk++;
    firstRow += rowCount;
    rows = [];
    characters = 0;
    gaps = blankLines > 0 ? [[firstRow, blankLines]] : [];
  }

  for await (const part of parts) {
    for (const [i, row] of part.rows.entries()) {
      const before = part.blanks[i] as number;
      if (before !== blankLines) gaps.push([firstRow + rows.length, before]);
      blankLines = before;
      rows.push(row);
      characters += row.length;
      if (rows.length >= mostRows || characters >= mostCharacters) await store();
    }
  }
  await store();
  return firstRow;
}
