// What is sent for a file. One that needs only another header goes as it is, without being read; any other becomes lines of JSON, so that
// numbers arrive as numbers and what is skipped never leaves the browser.
import { type FileHead, readRows } from '../file/read-file.ts';
import { lineOf, type MappedColumn } from './mapping.ts';

export interface UploadBody {
  body: Blob;
  contentType: 'text/csv' | 'application/x-ndjson';
}

// A frame has 16 ms: after so long the page gets its turn.
const turnMs = 12;

export async function bodyOf(
  file: Blob,
  head: FileHead,
  columns: readonly MappedColumn[],
  onRead: (share: number) => void,
  signal: AbortSignal,
): Promise<UploadBody> {
  if (canGoAsItIs(head, columns)) return { body: await withHeader(file, columns), contentType: 'text/csv' };
  const parts: Blob[] = [];
  let turn = performance.now();
  for await (const { rows, share } of readRows(file, head)) {
    signal.throwIfAborted();
    // Browsers keep Blobs outside of the page's memory, large ones on disk.
    if (rows.length > 0) parts.push(new Blob([`${rows.map((row) => lineOf(row, columns)).join('\n')}\n`]));
    onRead(share);
    if (performance.now() - turn < turnMs) continue;
    await new Promise((resolve) => setTimeout(resolve));
    turn = performance.now();
  }
  return { body: new Blob(parts), contentType: 'application/x-ndjson' };
}

export function canGoAsItIs({ delimiter, encoding }: FileHead, columns: readonly MappedColumn[]): boolean {
  return (
    delimiter === ',' &&
    encoding === 'utf-8' &&
    columns.every(({ target }) => target.kind === 'email' || (target.kind === 'property' && target.type === 'text'))
  );
}

/** The file below a header of its own: the rest is not copied. */
async function withHeader(file: Blob, columns: readonly MappedColumn[]): Promise<Blob> {
  const names = columns.map(({ target }) => (target.kind === 'property' ? target.key : 'email'));
  const start = await endOfHeader(file);
  return new Blob([`${names.join(',')}\n`, file.slice(start)]);
}

const quote = 0x22;
const newline = 0x0a;

/** Where the second line begins, in bytes: quoted names may have line ends of their own. */
async function endOfHeader(file: Blob): Promise<number> {
  const bytes = new Uint8Array(await file.slice(0, 1024 * 1024).arrayBuffer());
  let isQuoted = false;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === quote) isQuoted = !isQuoted;
    else if (bytes[at] === newline && !isQuoted) return at + 1;
  }
  return bytes.length;
}
