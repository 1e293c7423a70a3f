// All rows of a file, without holding up the page: it gets its turn in between, however long the file is.
import { type FileHead, readRows } from './read-file.ts';

// A frame has 16 ms: after this long the page gets its turn.
const turnMs = 12;
const portion = 500;

export async function eachPortion(
  file: Blob,
  head: Pick<FileHead, 'encoding' | 'delimiter'>,
  take: (rows: readonly string[][]) => void,
  onRead: (share: number) => void,
  signal: AbortSignal,
): Promise<void> {
  let turn = performance.now();
  for await (const { rows, share } of readRows(file, head)) {
    for (let from = 0; from < rows.length; from += portion) {
      signal.throwIfAborted();
      take(rows.slice(from, from + portion));
      if (performance.now() - turn < turnMs) continue;
      await new Promise((resolve) => setTimeout(resolve));
      turn = performance.now();
    }
    signal.throwIfAborted();
    onRead(share);
  }
}
