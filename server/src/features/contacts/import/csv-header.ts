import { brokenAt } from './broken-upload.js';

/** Writes one row as JSON text of an item. */
export type WriteRow = (cells: readonly string[]) => string;

/** Reads the names of the columns, and makes the writer of their rows. */
export function readHeader(cells: readonly string[], line: number): WriteRow {
  if (cells.some((cell) => cell.includes('\r'))) throw brokenAt(line, 'must end in LF or CRLF.');
  const names = cells.map(columnName);
  const blank = names.indexOf('');
  if (blank >= 0) throw brokenAt(line, `has no name for column ${blank + 1}.`);
  const twice = repeated(names);
  if (twice !== undefined) throw brokenAt(line, `has two columns named "${shorten(twice)}".`);
  const email = names.indexOf('email');
  if (email < 0)
    throw brokenAt(line, `has no column named email. Columns: ${shorten(names.join(', '))}.${hint(names)}`);
  const keys = names.map((name) => `${JSON.stringify(name)}:`);
  return (row) => {
    let properties = '';
    for (let i = 0; i < row.length; i++) {
      const cell = row[i] as string;
      // An empty cell says nothing about the property: it stays as it is.
      if (i === email || cell === '') continue;
      properties += `${properties === '' ? '' : ','}${keys[i]}${JSON.stringify(cell)}`;
    }
    const address = row[email] === '' ? '' : `"email":${JSON.stringify(row[email])},`;
    return `{${address}"properties":{${properties}}}`;
  };
}

function columnName(cell: string): string {
  const name = cell.trim();
  return name.toLowerCase() === 'email' ? 'email' : name;
}

function repeated(names: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return names.find((name) => seen.size === seen.add(name).size);
}

function hint(names: readonly string[]): string {
  return names.length === 1 && /[;\t|]/.test(names[0] as string) ? ' Separate columns by commas.' : '';
}

function shorten(text: string): string {
  const shown = text.replaceAll('\0', '');
  return shown.length <= 200 ? shown : `${shown.slice(0, 200)}…`;
}
