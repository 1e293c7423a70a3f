// What is sent for a file: its rows with all columns, so that failed ones can be returned as they were. A file that the service can read, and
// that needs no rewriting, is sent as it is; any other is written anew in UTF-8 with commas.
import { eachPortion } from '../file/in-turns.ts';
import type { FileHead } from '../file/read-file.ts';
import type { Outgoing } from './outgoing.ts';

export async function bodyOf(
  file: Blob,
  head: FileHead,
  outgoing: Pick<Outgoing, 'added' | 'isAsItIs' | 'cellsOf'>,
  onRead: (share: number) => void,
  signal: AbortSignal,
  isUneven = false,
): Promise<Blob> {
  if (head.isPlain && outgoing.isAsItIs && !isUneven) return file;
  const parts: Blob[] = [];
  let isHeader = true;
  const lineOf = (row: readonly string[]): string => {
    // A blank line stays blank: it counts as a row.
    if (row.length === 0) return '\n';
    const cells = isHeader ? [...padded(row, head.header.length), ...outgoing.added] : outgoing.cellsOf(row);
    isHeader = false;
    return csvLine(cells);
  };
  // Browsers keep Blobs outside the page's memory, large ones on disk.
  const take = (rows: readonly string[][]) => void parts.push(new Blob([rows.map(lineOf).join('')]));
  await eachPortion(file, head, take, onRead, signal);
  return new Blob(parts);
}

/** Spreadsheets leave out empty cells at the end of a row, or add some. */
function padded(row: readonly string[], width: number): string[] {
  return Array.from({ length: width }, (_, at) => row[at] ?? '');
}

export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\n`;
}

function quoted(cell: string): string {
  return cell === '' || /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
