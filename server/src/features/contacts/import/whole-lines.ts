// Cuts a stream of bytes at line ends, so that its reader gets whole lines of valid UTF-8.
import { isUtf8 } from 'node:buffer';
import { brokenAt } from './broken-upload.js';

export interface Block {
  bytes: Buffer;
  /** The number of its first line in the file, counted from 1. */
  line: number;
}

export const longestRow = 1024 * 1024;
// Handling thousands of tiny pieces would cost more than handling their bytes.
const mostPieces = 1024;
const newline = 10;
const bom = Buffer.from('\ufeff');

export async function* wholeLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<Block> {
  let line = 1;
  let pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of bytes) {
    const end = piece.lastIndexOf(newline) + 1;
    if (end > 0) {
      const block = checked(Buffer.concat([...pieces, piece.subarray(0, end)]), line);
      yield block;
      line += countLines(block.bytes);
      pieces = [];
      size = 0;
    }
    pieces.push(piece.subarray(end));
    size += piece.length - end;
    if (size > longestRow) throw brokenAt(line, 'is longer than 1 MiB.');
    if (pieces.length > mostPieces) pieces = [Buffer.concat(pieces)];
  }
  if (size > 0) yield checked(Buffer.concat(pieces), line);
}

function checked(bytes: Buffer, line: number): Block {
  if (!isUtf8(bytes)) throw brokenAt(line + badLine(bytes), 'is not valid UTF-8. Save the file in UTF-8.');
  const hasBom = line === 1 && bytes.subarray(0, bom.length).equals(bom);
  return { bytes: hasBom ? bytes.subarray(bom.length) : bytes, line };
}

function badLine(bytes: Buffer): number {
  let lines = 0;
  for (let start = 0; ; lines++) {
    const end = bytes.indexOf(newline, start);
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) return lines;
    start = end + 1;
  }
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) lines++;
  return lines;
}
