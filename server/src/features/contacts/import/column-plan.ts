// The column plan that the caller sends with a file: `email,first_name,seats:number,,plan`.
import { isPropertyKey } from '@rapport/contract';
import { invalid } from '../../../http/api-error.js';
import { topicColumn } from '../topic-words.js';

/** Undefined if the column is skipped. */
export type PlannedColumn =
  | { key: string; convert: (cell: string) => string | number | boolean; topic?: string | undefined }
  | undefined;

const types: Record<string, (cell: string) => string | number | boolean> = {
  '': (cell) => cell,
  number: (cell) => (Number.isFinite(Number(cell)) && cell.trim() !== '' ? Number(cell) : cell),
  boolean: (cell) => (/^\s*(?:true|false)\s*$/i.test(cell) ? cell.trim().toLowerCase() === 'true' : cell),
};

export function readColumnPlan(text: string): PlannedColumn[] {
  const used = new Set<string>();
  const once = (column: NonNullable<PlannedColumn>) => {
    const { key } = column;
    if (used.has(key) && key !== 'email') throw invalid('columns', `has ${quoted(key)} twice`);
    used.add(key);
    return column;
  };
  const columns = text.split(',').map((each): PlannedColumn => {
    if (each === '') return undefined;
    const [key = '', type = '', ...rest] = each.split(':');
    const topic = Object.hasOwn(types, type) ? undefined : topicColumn.exec(each)?.[1];
    if (topic !== undefined) return once({ key: each, convert: String, topic });
    const convert = Object.hasOwn(types, type) ? types[type] : undefined;
    if (!isPropertyKey(key) || !convert || rest.length > 0 || each.endsWith(':'))
      throw invalid('columns', `has ${quoted(each)}, which is not a key with or without :number or :boolean`);
    return once({ key, convert });
  });
  if (columns.filter((column) => column?.key === 'email').length !== 1)
    throw invalid('columns', 'must name one column email');
  return columns;
}

export function requireAsMany(columns: readonly PlannedColumn[], cells: readonly string[]): void {
  const counted = `${columns.length} ${columns.length === 1 ? 'column' : 'columns'}`;
  if (columns.length !== cells.length) throw invalid('columns', `names ${counted}; the header has ${cells.length}`);
}

function quoted(text: string): string {
  return JSON.stringify(text.length <= 100 ? text : `${text.slice(0, 100)}…`);
}
