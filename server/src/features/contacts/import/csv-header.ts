import { isPropertyKey } from '@rapport/contract';
import { unguarded } from '../../../lib/csv.js';
import { parseJson } from '../../../lib/parse-json.js';
import { snakeCase } from '../properties.js';
import { cellOfWord, wordOfCell } from '../topic-words.js';
import { brokenAt } from './broken-upload.js';
import { joins, type PlannedColumn, reasonOf, requireAsMany } from './column-plan.js';

/** A column in files of failed rows that says what was wrong. It is not a property. */
const errorColumn = '_error';

/** A column of a file: its name in the file, and its property key. */
export type Column = readonly [name: string, key: string];

/** Writes one row as the JSON text of an item. */
export type WriteRow = (cells: readonly string[]) => string;

interface Header {
  columns: Column[];
  writeRow: WriteRow;
}

/** Reads the column names and creates the row writer. `plan` says what the columns are; without it, their names do. */
export function readHeader(cells: readonly string[], line: number, plan?: readonly PlannedColumn[]): Header {
  if (cells.some((cell) => cell.includes('\r'))) throw brokenAt(line, 'must end in LF or CRLF.');
  const names = cells.map(columnName);
  if (plan) return planned(cells, plan);
  const blank = names.indexOf('');
  if (blank >= 0) throw brokenAt(line, `has no name for column ${blank + 1}.`);
  const twice = repeated(names);
  if (twice !== undefined) throw brokenAt(line, `has two columns named "${shorten(twice)}".`);
  if (!names.includes('email'))
    throw brokenAt(line, `has no column named email. Columns: ${shorten(names.join(', '))}.${hint(names)}`);
  const keys = keysOf(names);
  const ofErrors = names.indexOf(errorColumn);
  const columns = names.map((name, i): Column => [name, keys[i] as string]).filter((_, i) => i !== ofErrors);
  const asItIs = (cell: string) => cell;
  const targets = keys.map((key, i) => (i === ofErrors ? undefined : { key, convert: asItIs, topic: topicOf(key) }));
  return { columns, writeRow: rowWriter(targets, ofErrors) };
}

/** Keeps the original cells with each row, because the item loses types and skipped columns. */
function planned(cells: readonly string[], plan: readonly PlannedColumn[]): Header {
  requireAsMany(plan, cells);
  const names = cells.map((cell) => cell.trim());
  const ofErrors = names.indexOf(errorColumn);
  const columns = names.map((name, i): Column => [name, plan[i]?.key ?? '']).filter((_, i) => i !== ofErrors);
  const writeItem = rowWriter(plan, ofErrors);
  const bare = (cell: string) => (ofErrors >= 0 ? unguarded(cell) : cell);
  const writeRow = (row: readonly string[]) => {
    const kept = row.filter((_, i) => i !== ofErrors).map(bare);
    return `${writeItem(row).slice(0, -1)},"cells":${JSON.stringify(kept)}}`;
  };
  return { columns, writeRow };
}

/** `ofErrors`: the index of the error column if this is our own file of failed rows, whose cells are guarded against spreadsheet formulas. */
function rowWriter(columns: readonly PlannedColumn[], ofErrors: number): WriteRow {
  const written = columns.map((column) => `${JSON.stringify(column?.topic ?? column?.key)}:`);
  const email = columns.findIndex((column) => column?.key === 'email');
  const bare = (cell: string) => (ofErrors >= 0 ? unguarded(cell) : cell);
  return (row) => {
    let properties = '';
    let topics = '';
    let fault: string | undefined;
    let reason: string | undefined;
    const lists: string[] = [];
    for (let i = 0; i < row.length; i++) {
      const column = columns[i];
      const cell = row[i] as string;
      // An empty cell leaves the property as it is.
      if (i === email || i === ofErrors || !column || cell === '') continue;
      if (column.topic !== undefined) {
        if (bare(cell).trim() === '') continue;
        topics += `${topics === '' ? '' : ','}${written[i]}${JSON.stringify(wordOfCell(bare(cell)))}`;
        continue;
      }
      fault ??= column.faultOf?.(bare(cell));
      if (column.list !== undefined) {
        if (joins(bare(cell))) lists.push(column.list);
        continue;
      }
      if (column.isStatus) {
        reason = reasonOf(bare(cell));
        continue;
      }
      const value = column.convert(bare(cell));
      properties += `${properties === '' ? '' : ','}${written[i]}${JSON.stringify(value)}`;
    }
    const address = row[email] === '' ? '' : `"email":${JSON.stringify(bare(row[email] as string))},`;
    const more = {
      ...(lists.length > 0 ? { lists } : {}),
      ...(reason === undefined ? {} : { reason }),
      ...(fault === undefined ? {} : { fault }),
    };
    const rest = JSON.stringify(more).slice(1, -1);
    return `{${address}"properties":{${properties}}${topics === '' ? '' : `,"topics":{${topics}}`}${rest === '' ? '' : `,${rest}`}}`;
  };
}

const topicStart = 'topic:';

/** The key of the topic that a column is about. No topic may have it: that fails the rows that say something, as any unknown key does. */
function topicOf(key: string): string | undefined {
  return key.startsWith(topicStart) ? key.slice(topicStart.length) : undefined;
}

/**
 * `First Name` becomes `first_name`, unless that column exists. A name that cannot be a key is reported in the poll. Each name is looked at
 * once: a header of 1 MiB may have half a million.
 */
function keysOf(names: readonly string[]): string[] {
  const taken = new Set([...names, 'email', errorColumn]);
  const snakes = names.map(snakeCase);
  const times = new Map<string, number>();
  for (const key of snakes) times.set(key, (times.get(key) ?? 0) + 1);
  return names.map((name, i) => {
    if (isPropertyKey(name) || topicOf(name) !== undefined) return name;
    const key = snakes[i] as string;
    return isPropertyKey(key) && !taken.has(key) && times.get(key) === 1 ? key : name;
  });
}

interface StagedItem {
  email?: string;
  properties?: Record<string, string>;
  topics?: Record<string, unknown>;
  cells?: string[];
}

/** The original cells of a staged row; null if it is not a row. */
export function cellsOf(row: string, columns: readonly Column[]): string[] | null {
  const item = parseJson(row) as StagedItem | null;
  if (typeof item !== 'object' || item === null) return null;
  if (item.cells) return item.cells;
  return columns.map(([, key]) => {
    const topic = topicOf(key);
    if (topic !== undefined) return cellOfWord(item.topics?.[topic]);
    return (key === 'email' ? item.email : item.properties?.[key]) ?? '';
  });
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
