// Reads rows of a CSV file from pieces of its text, as they arrive. As lenient as a spreadsheet: a quote inside a plain cell is a
// quote, and a row may have any number of cells. A quoted cell that is not closed is an error: everything after it would become part of it.
import { t } from '../../../texts/imports.ts';

class CsvFault extends Error {
  override name = 'CsvFault';

  constructor(
    fault: keyof typeof t.csvFaults,
    readonly line: number,
  ) {
    super(t.csvFaults[fault](line));
  }
}

export class CsvReader {
  private row: string[] = [];
  private cell = '';
  private state: 'start' | 'plain' | 'quoted' | 'quote' = 'start';
  private endsInReturn = false;
  private line = 1;
  private quotedAt = 1;

  constructor(private readonly delimiter: string) {}

  /** The rows completed by this piece. A blank line is a row without cells. */
  push(text: string): string[][] {
    const rows: string[][] = [];
    for (let at = 0; at < text.length; at++) {
      const character = text[at] as string;
      if (this.state === 'quoted') {
        const end = text.indexOf('"', at);
        this.addQuoted(text.slice(at, end < 0 ? undefined : end));
        if (end < 0) break;
        at = end;
        this.state = 'quote';
      } else if (character === '\n' && this.endsInReturn) {
        this.endsInReturn = false;
      } else if (character === '\n' || character === '\r') {
        this.endsInReturn = character === '\r';
        this.endLine(rows);
      } else {
        this.endsInReturn = false;
        if (character === this.delimiter) this.endCell();
        else if (character === '"' && this.state === 'start') this.openQuote();
        else if (character === '"' && this.state === 'quote') this.addQuote();
        else at = this.addPlain(text, at);
      }
    }
    return rows;
  }

  /** The last row, if the file does not end with a line break. */
  end(): string[][] {
    if (this.state === 'quoted') throw new CsvFault('neverClosed', this.quotedAt);
    const rows: string[][] = [];
    if (this.hasSomething()) this.endRow(rows);
    return rows;
  }

  private openQuote(): void {
    this.state = 'quoted';
    this.quotedAt = this.line;
  }

  private addQuoted(text: string): void {
    this.cell += text;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.line++;
  }

  /** Two quotes inside quotes are one. */
  private addQuote(): void {
    this.cell += '"';
    this.state = 'quoted';
  }

  private addPlain(text: string, from: number): number {
    if (this.state === 'quote') throw new CsvFault('afterQuote', this.quotedAt);
    let to = from + 1;
    while (to < text.length && text[to] !== this.delimiter && text[to] !== '\n' && text[to] !== '\r') to++;
    this.cell += text.slice(from, to);
    this.state = 'plain';
    return to - 1;
  }

  private endCell(): void {
    this.row.push(this.cell);
    this.cell = '';
    this.state = 'start';
  }

  private endLine(rows: string[][]): void {
    this.line++;
    if (this.hasSomething()) this.endRow(rows);
    else rows.push([]);
  }

  private hasSomething(): boolean {
    return this.row.length > 0 || this.cell !== '' || this.state !== 'start';
  }

  private endRow(rows: string[][]): void {
    this.endCell();
    rows.push(this.row);
    this.row = [];
  }
}

const delimiters = [',', ';', '\t', '|'];

/** What separates the cells of the first line: whatever occurs most outside quotes. */
export function delimiterOf(text: string): string {
  const line = /^(?:[^"\r\n]|"[^"]*")*/.exec(text)?.[0] ?? '';
  const bare = line.replace(/"[^"]*"/g, '');
  const counts = delimiters.map((each) => bare.split(each).length - 1);
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ',';
}
