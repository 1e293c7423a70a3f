/** One line of a CSV file, with its line end. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = guardCell(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// A spreadsheet runs what begins a cell like this as a formula, also in full width, and some pass over white space before it; an
// apostrophe makes it plain text. To a spreadsheet whose cells end at a semicolon, a bar or a tab, quotes inside of a line are letters:
// what comes behind those, or behind a line break, begins a cell as well. What already has apostrophes there gets one more, so that taking
// one off gives back what it was.
const formula = '[=+\\-@＝＋－＠]';
const begins = '(^|[;|\\t\\r\\n])([\\s"]*)';
const runs = new RegExp(`${begins}(?='*${formula})`, 'g');
const guarded = new RegExp(`${begins}'(?='*${formula})`, 'g');

export function guardCell(text: string): string {
  return text.replace(runs, "$1$2'").replace(/^(?='*[\t\r\n])/, "'");
}

/** A cell of a file that `csvLine` wrote, as it was before. */
export function unguarded(cell: string): string {
  return cell.replace(/^'(?='*[\t\r\n])/, '').replace(guarded, '$1$2');
}
