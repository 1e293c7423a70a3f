import { CsvError, Parser } from 'csv-parse';
import { brokenAt } from './broken-upload.js';
import type { PlannedColumn } from './column-plan.js';
import { type Column, readHeader, type WriteRow } from './csv-header.js';
import type { ReadRows } from './stage-rows.js';
import { type Block, longestRow } from './whole-lines.js';

/** Reads the rows of a CSV file with a header, as JSON text of `{email, properties}`. */
export async function* parseCsv(
  blocks: AsyncIterable<Block>,
  onHeader: (columns: Column[]) => void,
  plan?: readonly PlannedColumn[],
): AsyncGenerator<ReadRows> {
  const parser = new RowParser(onHeader, plan);
  for await (const { bytes } of blocks) {
    await parser.parse(bytes);
    yield parser.takeRows();
  }
  await parser.finish();
  yield parser.takeRows();
}

class RowParser extends Parser {
  private writeRow: WriteRow | undefined;
  private columns = 0;
  private taken: ReadRows = { rows: [], blanks: [] };
  // The line on which the last row ended.
  private lines = 0;
  private blankLines = 0;
  // csv-parse counts a CRLF inside a cell as two lines.
  private countedTwice = 0;

  constructor(
    private readonly onHeader: (columns: Column[]) => void,
    private readonly plan?: readonly PlannedColumn[],
  ) {
    super({ record_delimiter: ['\r\n', '\n'], skip_empty_lines: true, max_record_size: longestRow });
    // The error is passed to the write that hit it.
    this.on('error', () => undefined);
  }

  parse(bytes: Buffer): Promise<void> {
    return this.settled((done) => this.write(bytes, done));
  }

  finish(): Promise<void> {
    return this.settled((done) => this.end(done));
  }

  takeRows(): ReadRows {
    const { taken } = this;
    this.taken = { rows: [], blanks: [] };
    return taken;
  }

  /** Collects rows as they are parsed, outside the stream's buffers, while the line number is known. */
  override push(cells: string[] | null): boolean {
    if (cells === null) return super.push(null);
    if (this.writeRow) {
      this.taken.rows.push(this.writeRow(cells));
      this.taken.blanks.push(this.info.empty_lines);
    } else {
      const { columns, writeRow } = readHeader(cells, this.nextLine(), this.plan);
      this.onHeader(columns);
      this.writeRow = writeRow;
      this.columns = cells.length;
    }
    for (const cell of cells) if (cell.includes('\r\n')) this.countedTwice += cell.split('\r\n').length - 1;
    this.lines = this.info.lines;
    this.blankLines = this.info.empty_lines;
    return true;
  }

  private settled(act: (done: (error?: Error | null) => void) => void): Promise<void> {
    return new Promise<void>((resolve, reject) => act((error) => (error ? reject(this.explain(error)) : resolve())));
  }

  /** Where the row after the last one starts. */
  private nextLine(): number {
    return this.lines - this.countedTwice + 1 + this.info.empty_lines - this.blankLines;
  }

  private explain(error: Error): Error {
    if (!(error instanceof CsvError)) return error;
    const line = this.nextLine();
    // The types of csv-parse do not list all of its codes.
    const { code, record } = error as Error as { code: string; record?: string[] } & Error;
    switch (code) {
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
