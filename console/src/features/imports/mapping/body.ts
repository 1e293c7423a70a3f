// What is sent for a file: its rows as they are, all columns, so that those which fail can come back as they were. One that the service can
// read goes without being read here; any other is written anew, in UTF-8 and with commas.
import { type FileHead, readRows } from '../file/read-file.ts';

// A frame has 16 ms: after so long the page gets its turn.
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
    // Browsers keep Blobs outside of the page's memory, large ones on disk.
    if (rows.length > 0) parts.push(new Blob([rows.map((row) => lineOf(row, head.header.length)).join('')]));
    onRead(share);
    if (performance.now() - turn < turnMs) continue;
    await new Promise((resolve) => setTimeout(resolve));
    turn = performance.now();
  }
  return new Blob(parts);
}

/** Spreadsheets leave out empty cells at the end of a row. A blank line stays one: it counts as a row. */
function lineOf(row: readonly string[], width: number): string {
  if (row.length === 0) return '\n';
  const missing = Array.from({ length: Math.max(width - row.length, 0) }, () => '');
  return `${[...row, ...missing].map(quoted).join(',')}\n`;
}

function quoted(cell: string): string {
  return cell === '' || /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
