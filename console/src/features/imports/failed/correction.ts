// Failed rows while they are corrected: what is still wrong with a cell, and the file that is sent.
import { isAddress } from '../check/checker.ts';
import { readDate } from '../dates/date-format.ts';
import { csvLine } from '../mapping/body.ts';
import { reasonOfCell, topicWordOf } from '../mapping/words.ts';
import type { FailedRow, FailedRows } from './failed-file.ts';

export type CellFault = 'badAddress' | 'badDate' | 'badWord' | 'badStatus';

/** What a column is, by its plan or else by its name. */
export function planAt({ plan, header }: Pick<FailedRows, 'plan' | 'header'>, at: number): string {
  if (plan) return plan[at] ?? '';
  const name = header[at] ?? '';
  return name.trim().toLowerCase() === 'email' ? 'email' : name;
}

/** The cell as the service takes it, or what is wrong with it. Dates without doubt may be written in other ways. */
export function readCell(plan: string, cell: string): { cell: string } | { fault: CellFault } {
  const text = cell.trim();
  if (plan === 'email') return isAddress(text) ? { cell: text } : { fault: 'badAddress' };
  if (text === '') return { cell: '' };
  if (plan.endsWith(':date')) {
    const date = readDate(text, 'ymd') ?? readDate(text, 'named');
    return date === undefined ? { fault: 'badDate' } : { cell: date };
  }
  if (plan.startsWith('topic:') || plan.startsWith('list:')) {
    const word = topicWordOf(text);
    return word === undefined ? { fault: 'badWord' } : { cell: word };
  }
  if (plan === 'suppress:reason') {
    const reason = reasonOfCell(text, 'words');
    return reason === undefined ? { fault: 'badStatus' } : { cell: reason };
  }
  return { cell };
}

/** The faults of a row, by column. */
export function faultsOf(failed: FailedRows, cells: readonly string[]): Map<number, CellFault> {
  const faults = new Map<number, CellFault>();
  cells.forEach((cell, at) => {
    const read = readCell(planAt(failed, at), cell);
    if ('fault' in read) faults.set(at, read.fault);
  });
  return faults;
}

/** The rows as a file with their own header. */
export function fileOf(failed: FailedRows, rows: readonly Pick<FailedRow, 'cells'>[]): string {
  const lines = rows.map(({ cells }) =>
    cells.map((cell, at) => {
      const read = readCell(planAt(failed, at), cell);
      return 'cell' in read ? read.cell : cell;
    }),
  );
  return [failed.header, ...lines].map(csvLine).join('');
}

/** Which columns are shown: those that were imported, the address first. */
export function shownColumns(failed: FailedRows): number[] {
  const all = failed.header.map((_, at) => at).filter((at) => planAt(failed, at) !== '');
  const email = all.filter((at) => planAt(failed, at) === 'email');
  return [...email, ...all.filter((at) => !email.includes(at))];
}
