import { parseJson } from '../../../lib/parse-json.js';
import { brokenAt } from './broken-upload.js';
import type { ReadRows } from './stage-rows.js';
import type { Block } from './whole-lines.js';

/** Reads a file with one JSON value per line, as JSON text. Each row is validated when it is applied. */
export async function* parseNdjson(blocks: AsyncIterable<Block>): AsyncGenerator<ReadRows> {
  let blankLines = 0;
  for await (const { bytes, line } of blocks) {
    const rows: string[] = [];
    const blanks: number[] = [];
    const lines = bytes.toString('utf8').split('\n');
    for (const [i, text] of lines.entries()) {
      const row = text.trim();
      if (row === '') {
        // What follows the last line break is not a line.
        if (i < lines.length - 1) blankLines++;
        continue;
      }
      try {
        parseJson(row);
      } catch {
        throw brokenAt(line + i, 'is not valid JSON.');
      }
      rows.push(row);
      blanks.push(blankLines);
    }
    yield { rows, blanks };
  }
}
