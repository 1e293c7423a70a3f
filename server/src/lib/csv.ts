/** One line of a CSV file, with its line end. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

// A spreadsheet runs a cell that starts like this as a formula; a leading apostrophe makes it plain text. What already has
// apostrophes there gets one more, so that taking one off gives back what it was.
const runs = /^'*[=+\-@\t\r]/;
const guarded = /^'+[=+\-@\t\r]/;

/** A cell of a file that `csvLine` wrote, as it was before. */
export function unguarded(cell: string): string {
  return guarded.test(cell) ? cell.slice(1) : cell;
}

function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = runs.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
