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
const runs = /(?<!')'*[=+\-@＝＋－＠]/g;
const guarded = /(?<!')'+[=+\-@＝＋－＠]/g;

export function guardCell(text: string): string {
  const inner = text.replace(runs, (found, at: number) => (beginsCell(text, at) ? `'${found}` : found));
  return inner.replace(/^(?='*[\t\r\n])/, "'");
}

/** A cell of a file that `csvLine` wrote, as it was before. */
export function unguarded(cell: string): string {
  const text = cell.replace(/^'(?='*[\t\r\n])/, '');
  return text.replace(guarded, (found, at: number) => (beginsCell(text, at) ? found.slice(1) : found));
}

/** Looks back as far as there is nothing but white space and quotes: linear, for what was looked at lies behind. */
function beginsCell(text: string, at: number): boolean {
  for (let i = at - 1; i >= 0; i--) {
    const letter = text[i] as string;
    if (/[;|\t\r\n]/.test(letter)) return true;
    if (!/[\s"]/.test(letter)) return false;
  }
  return true;
}
