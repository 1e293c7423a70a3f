import { CsvError, parse } from 'csv-parse';
import { brokenAt } from './broken-upload.js';
import { readHeader, type WriteRow } from './csv-header.js';
import { type Block, longestRow } from './whole-lines.js';

/** Rows of a CSV file with a header, as JSON text of `{email, properties}`. */
export async function* parseCsv(blocks: AsyncIterable<Block>): AsyncGenerator<string[]> {
  const reader = new CsvReader();
  for await (const { bytes } of blocks) {
    await reader.read(bytes);
    yield reader.take();
  }
  await reader.end();
  yield reader.take();
}

/** The line that a row ends on, as csv-parse tells it. */
interface Position {
  lines: number;
  empty_lines: number;
}

class CsvReader {
  private writeRow: WriteRow | undefined;
  private columns = 0;
  private rows: string[] = [];
  private last: Position = { lines: 0, empty_lines: 0 };
  // csv-parse counts a CRLF inside a cell as two lines.
  private countedTwice = 0;
  private readonly parser = parse({
    record_delimiter: ['\r\n', '\n'],
    skip_empty_lines: true,
    max_record_size: longestRow,
    // Taking rows here, and passing none on, keeps them out of a second stream and its buffers.
    on_record: (cells: string[], info) => this.add(cells, info),
  });

  constructor() {
    // Every error is told to the write that met it.
    this.parser.on('error', () => undefined);
  }

  read(bytes: Buffer): Promise<void> {
    return this.settled((done) => this.parser.write(bytes, done));
  }

  end(): Promise<void> {
    return this.settled((done) => this.parser.end(done));
  }

  take(): string[] {
    const rows = this.rows;
    this.rows = [];
    return rows;
  }

  private add(cells: string[], position: Position): null {
    if (this.writeRow) this.rows.push(this.writeRow(cells));
    else {
      this.writeRow = readHeader(cells, this.startAfter(position));
      this.columns = cells.length;
    }
    for (const cell of cells) if (cell.includes('\r\n')) this.countedTwice += cell.split('\r\n').length - 1;
    this.last = position;
    return null;
  }

  private settled(act: (done: (error?: Error | null) => void) => void): Promise<void> {
    return new Promise<void>((resolve, reject) => act((error) => (error ? reject(this.explain(error)) : resolve())));
  }

  /** Where the row after the last one starts. */
  private startAfter({ empty_lines: blank }: Position): number {
    return this.last.lines - this.countedTwice + 1 + blank - this.last.empty_lines;
  }

  private explain(error: Error): Error {
    if (!(error instanceof CsvError)) return error;
    const { code, record } = error as CsvError & { record?: string[] };
    const line = this.startAfter(error as unknown as Position);
    switch (code as string) {
      case 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH':
        return brokenAt(line, `has ${record?.length} cells; the header has ${this.columns}.`);
      case 'CSV_QUOTE_NOT_CLOSED':
        return brokenAt(line, 'opens a quoted cell that is never closed. Did the file break off?');
      case 'CSV_MAX_RECORD_SIZE':
        return brokenAt(line, 'starts a row of more than 1 MiB. Is a quoted cell not closed?');
      case 'CSV_INVALID_CLOSING_QUOTE':
      case 'INVALID_OPENING_QUOTE':
        return brokenAt(line, 'has a quote inside a cell. Put the whole cell in quotes and double those in it.');
      default:
        return brokenAt(line, `is not valid CSV (${code}).`);
    }
  }
}
