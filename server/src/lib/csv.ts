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

// A spreadsheet runs a cell that begins with one of these as a formula, also in full width, and some ignore white space before it; an
// apostrophe makes it plain text. For a spreadsheet that separates cells at a semicolon, bar or tab, quotes inside a line are ordinary characters:
// text after such a separator, or after a line break, begins a cell as well. If there are apostrophes already, one more is added, so that removing
// one restores the original.
const runs = /(?<!')'*[=+\-@＝＋－＠]/g;
const guarded = /(?<!')'+[=+\-@＝＋－＠]/g;

export function guardCell(text: string): string {
  const inner = text.replace(runs, (found, at: number) => (beginsCell(text, at) ? `'${found}` : found));
  return inner.replace(/^(?='*[\t\r\n])/, "'");
}

/** The original of a cell that `csvLine` wrote. */
export function unguarded(cell: string): string {
  const text = cell.replace(/^'(?='*[\t\r\n])/, '');
  return text.replace(guarded, (found, at: number) => (beginsCell(text, at) ? found.slice(1) : found));
}

/** Looks back over white space and quotes only. Linear, because it never passes an earlier match. */
function beginsCell(text: string, at: number): boolean {
  for (let i = at - 1; i >= 0; i--) {
    const letter = text[i] as string;
    if (/[;|\t\r\n]/.test(letter)) return true;
    if (!/[\s"]/.test(letter)) return false;
  }
  return true;
}
