// What is sent for a file: its rows as they are, with all columns, so that failed ones can be returned as they were. A file that the service can
// read is sent without being read here; any other is rewritten in UTF-8 with commas.
import { type FileHead, readRows } from '../file/read-file.ts';

// A frame has 16 ms: after this long the page gets its turn.
const turnMs = 12;

export async function bodyOf(
  file: Blob,
  head: FileHead,
  onRead: (share: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  if (head.isPlain) return file;
  const parts: Blob[] = [];
  let turn = performance.now();
  for await (const { rows, share } of readRows(file, head)) {
    signal.throwIfAborted();
    // Browsers keep Blobs outside the page's memory, large ones on disk.
    if (rows.length > 0) parts.push(new Blob([rows.map((row) => lineOf(row, head.header.length)).join('')]));
    onRead(share);
    if (performance.now() - turn < turnMs) continue;
    await new Promise((resolve) => setTimeout(resolve));
    turn = performance.now();
  }
  return new Blob(parts);
}

/** Spreadsheets leave out empty cells at the end of a row. A blank line stays blank: it counts as a row. */
function lineOf(row: readonly string[], width: number): string {
  if (row.length === 0) return '\n';
  const missing = Array.from({ length: Math.max(width - row.length, 0) }, () => '');
  return `${[...row, ...missing].map(quoted).join(',')}\n`;
}

function quoted(cell: string): string {
  return cell === '' || /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
