import { parseJson } from '../../../lib/parse-json.js';
import { isKey, snakeCase } from '../properties.js';
import { brokenAt } from './broken-upload.js';

/** A column that files of failed rows have: it says what was wrong, and is no property. */
export const errorColumn = '_error';

/** A column of a file: its name there, and the key of the property. */
export type Column = readonly [name: string, key: string];

/** Writes one row as JSON text of an item. */
export type WriteRow = (cells: readonly string[]) => string;

/** Reads the names of the columns, and makes the writer of their rows. */
export function readHeader(cells: readonly string[], line: number): { columns: Column[]; writeRow: WriteRow } {
  if (cells.some((cell) => cell.includes('\r'))) throw brokenAt(line, 'must end in LF or CRLF.');
  const names = cells.map(columnName);
  const blank = names.indexOf('');
  if (blank >= 0) throw brokenAt(line, `has no name for column ${blank + 1}.`);
  const twice = repeated(names);
  if (twice !== undefined) throw brokenAt(line, `has two columns named "${shorten(twice)}".`);
  const email = names.indexOf('email');
  if (email < 0)
    throw brokenAt(line, `has no column named email. Columns: ${shorten(names.join(', '))}.${hint(names)}`);
  const keys = names.map((name) => keyOf(name, names));
  const written = keys.map((key) => `${JSON.stringify(key)}:`);
  const ofErrors = names.indexOf(errorColumn);
  const columns = names.map((name, i): Column => [name, keys[i] as string]).filter((_, i) => i !== ofErrors);
  const writeRow = (row: readonly string[]) => {
    let properties = '';
    for (let i = 0; i < row.length; i++) {
      let cell = row[i] as string;
      // An empty cell says nothing about the property: it stays as it is.
      if (i === email || i === ofErrors || cell === '') continue;
      // Our own file of failed rows guards cells that a spreadsheet would run: see csvLine.
      if (ofErrors >= 0 && /^'[=+\-@\t\r]/.test(cell)) cell = cell.slice(1);
      properties += `${properties === '' ? '' : ','}${written[i]}${JSON.stringify(cell)}`;
    }
    const address = row[email] === '' ? '' : `"email":${JSON.stringify(row[email])},`;
    return `{${address}"properties":{${properties}}}`;
  };
  return { columns, writeRow };
}

/** `First Name` is taken for `first_name`, unless there is such a column. What cannot be a key is named in the poll. */
function keyOf(name: string, names: readonly string[]): string {
  if (isKey(name)) return name;
  const key = snakeCase(name);
  const isFree = isKey(key) && key !== 'email' && key !== errorColumn && !names.includes(key);
  return isFree && names.filter((other) => snakeCase(other) === key).length === 1 ? key : name;
}

/** The cells of a row that was staged, as they were; nothing where the row is none. */
export function cellsOf(row: string, columns: readonly Column[]): string[] | null {
  const item = parseJson(row) as { email?: string; properties?: Record<string, string> } | string | null;
  if (typeof item !== 'object' || item === null) return null;
  return columns.map(([, key]) => (key === 'email' ? item.email : item.properties?.[key]) ?? '');
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
