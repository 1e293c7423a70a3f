// Checking a file of contacts before it is imported.
import { counted, percent, whole } from './numbers.ts';

interface Example {
  row: number;
  cell: string;
}

const again = (rows: number) =>
  rows === 1
    ? 'This row will fail. You can correct it and import it again.'
    : 'These rows will fail. You can correct them and import them again.';

export const t = {
  checking: (share: number) => `Checking rows … ${percent(Math.round(share * 100) / 100)}`,
  createList: (name: string) => `Create “${name}”`,
  examples: (examples: readonly Example[], rows: number) =>
    `${examples.map(({ row, cell }) => (cell.trim() === '' ? `line ${whole(row)}` : `line ${whole(row)}: “${cell}”`)).join(', ')}${rows > examples.length ? ' …' : ''}`,
  found: {
    noAddress: (rows: number) => `${counted(rows, 'row has', 'rows have')} no email address. ${again(rows)}`,
    badAddress: (rows: number, column: string) =>
      `${counted(rows, 'cell', 'cells')} in “${column}” ${rows === 1 ? 'is not an email address' : 'are not email addresses'}. ${again(rows)}`,
    badDate: (rows: number, column: string) =>
      `${counted(rows, 'date', 'dates')} in “${column}” can’t be read in this format. ${again(rows)}`,
    badWord: (rows: number, column: string) =>
      `${counted(rows, 'cell', 'cells')} in “${column}” ${rows === 1 ? 'says' : 'say'} neither yes nor no. ${again(rows)}`,
    badStatus: (rows: number, column: string) =>
      `${counted(rows, 'status', 'statuses')} in “${column}” ${rows === 1 ? 'is' : 'are'} unknown. ${again(rows)}`,
    unknownList: (rows: number, column: string) =>
      `“${column}” names lists that don’t exist, in ${counted(rows, 'row')}. Those rows are imported without them, unless you create them.`,
    duplicate: (rows: number) =>
      `${counted(rows, 'row repeats', 'rows repeat')} an earlier address. The last row wins, cell by cell.`,
    longRow: (rows: number) =>
      `${counted(rows, 'row has', 'rows have')} more cells than there are columns. Check the file: a stray separator may have shifted cells.`,
  },
  listCreated: (name: string) => `“${name}” was created.`,
  listNotCreated: 'The list was not created',
  nothingFound: 'Nothing to correct.',
  partlyCompared: 'Only the first million addresses were checked for duplicates.',
  ready: (good: number, all: number) =>
    good === all
      ? `${counted(all, 'row')} can be imported.`
      : `${whole(good)} of ${counted(all, 'row')} can be imported. Nothing has been imported yet.`,
  suppressed: (rows: number) =>
    `${counted(rows, 'row says', 'rows say')} that an address must not get email. ${rows === 1 ? 'It is suppressed before the contact is' : 'They are suppressed before the contacts are'} imported.`,
  title: 'Check',
  turn: (more: number) => `Swap day and month: ${counted(more, 'more date', 'more dates')} can be read`,
};
