// The file of failed rows, as the service writes it: the columns of the import, and `_error` with the row and what was wrong.
import { CsvReader } from '../file/csv-reader.ts';

export interface FailedRow {
  /** In the file that was imported, as a spreadsheet counts. */
  row: number;
  error: string;
  cells: readonly string[];
}

export interface FailedRows {
  header: readonly string[];
  /** What each column was said to be, such as `seats:number`; empty if it was skipped. Undefined if nothing was said. */
  plan: readonly string[] | undefined;
  rows: readonly FailedRow[];
  /** There are more than are shown. */
  isCut: boolean;
}

/** Reads the first rows and leaves the rest. Undefined if the rows did not come back whole, and cannot be sent again from here. */
export async function readFailed(
  body: ReadableStream<Uint8Array> | null,
  columns: string | undefined,
  atMost: number,
): Promise<FailedRows | undefined> {
  const rows: string[][] = [];
  const reader = body?.getReader();
  if (!reader) return undefined;
  const csv = new CsvReader(',');
  const decoder = new TextDecoder();
  let isEnd = false;
  while (!isEnd && rows.length <= atMost + 1) {
    const { done, value } = await reader.read();
    isEnd = done;
    rows.push(
      ...(done ? [...csv.push(decoder.decode()), ...csv.end()] : csv.push(decoder.decode(value, { stream: true }))),
    );
  }
  if (!isEnd) await reader.cancel();
  const [names = [], ...found] = rows;
  if (names.at(-1) !== '_error') return undefined;
  const header = names.slice(0, -1);
  const plan = planFor(columns, header.length);
  if (columns !== undefined && plan === undefined) return undefined;
  return { header, plan, rows: found.slice(0, atMost).map(rowOf), isCut: found.length > atMost };
}

/** The column of errors of an earlier import was not kept; it was the last one. */
function planFor(columns: string | undefined, width: number): string[] | undefined {
  const plan = columns?.split(',');
  if (plan?.length === width + 1 && plan.at(-1) === '') return plan.slice(0, -1);
  return plan?.length === width ? plan : undefined;
}

function rowOf(cells: readonly string[]): FailedRow {
  const [, row = '0', error = ''] = /^row (\d+): ([\s\S]*)$/.exec(cells.at(-1) ?? '') ?? [];
  return { row: Number(row), error, cells: cells.slice(0, -1).map(unguarded) };
}

const guarded = /(?<!')'+[=+\-@＝＋－＠]/g;

/** The service puts an apostrophe before what a spreadsheet would run as a formula: see `server/src/lib/csv.ts`. */
function unguarded(cell: string): string {
  const text = cell.replace(/^'(?='*[\t\r\n])/, '');
  return text.replace(guarded, (found, at: number) =>
    /(?:^|[;|\t\r\n])[\s"]*$/.test(text.slice(0, at)) ? found.slice(1) : found,
  );
}
