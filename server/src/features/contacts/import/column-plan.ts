// The column plan that the caller sends with a file: `email,first_name,seats:number,signed_up:date,,topic:news,list:…,suppress:reason`.
import { isPropertyKey, type SuppressionReason, suppressionReasons } from '@rapport/contract';
import { invalid } from '../../../http/api-error.js';
import { parseInstant } from '../../../lib/instant.js';
import { topicColumn } from '../topic-words.js';

/** Undefined if the column is skipped. */
export type PlannedColumn =
  | {
      key: string;
      convert: (cell: string) => string | number | boolean;
      topic?: string | undefined;
      /** The static list that a contact joins whose cell says yes. */
      list?: string | undefined;
      /** Its cells say why an address must get no mail. */
      isStatus?: boolean;
      /** Why a row with this cell cannot be applied, if so. */
      faultOf?: (cell: string) => string | undefined;
    }
  | undefined;

const asItIs = (cell: string) => cell;
const types: Record<string, (cell: string) => string | number | boolean> = {
  '': asItIs,
  number: (cell) => (Number.isFinite(Number(cell)) && cell.trim() !== '' ? Number(cell) : cell),
  boolean: (cell) => (/^\s*(?:true|false)\s*$/i.test(cell) ? cell.trim().toLowerCase() === 'true' : cell),
  date: (cell) => cell.trim(),
};

// As ids of lists are written. Whether there is one is known when its row is applied.
const listColumn = /^list:([0-9a-f]{24})$/;
const statusColumn = 'suppress:reason';

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
    const statement = Object.hasOwn(types, type) ? undefined : readStatement(each);
    if (statement) return once(statement);
    const convert = Object.hasOwn(types, type) ? types[type] : undefined;
    if (!isPropertyKey(key) || !convert || rest.length > 0 || each.endsWith(':'))
      throw invalid('columns', `has ${quoted(each)}, which is not a key with or without :number, :boolean or :date`);
    return once({ key, convert, ...(type === 'date' ? { faultOf: dateFault(key) } : {}) });
  });
  if (columns.filter((column) => column?.key === 'email').length !== 1)
    throw invalid('columns', 'must name one column email');
  return columns;
}

/** A column that is not a property. */
function readStatement(each: string): PlannedColumn {
  const topic = topicColumn.exec(each)?.[1];
  if (topic !== undefined) return { key: each, convert: asItIs, topic };
  const list = listColumn.exec(each)?.[1];
  if (list !== undefined) return { key: each, convert: asItIs, list, faultOf: listFault };
  return each === statusColumn ? { key: each, convert: asItIs, isStatus: true, faultOf: statusFault } : undefined;
}

function dateFault(key: string) {
  return (cell: string) =>
    parseInstant(cell.trim()) === undefined
      ? `${key} must be a date such as 2026-04-03 or 2026-04-03T09:30:00Z, not ${quoted(cell)}.`
      : undefined;
}

function listFault(cell: string): string | undefined {
  return joins(cell) === undefined
    ? `The column of a list must say yes, no or nothing, not ${quoted(cell)}.`
    : undefined;
}

function statusFault(cell: string): string | undefined {
  const words = suppressionReasons.join(', ');
  return reasonOf(cell) === undefined
    ? `The reason to send no mail must be one of ${words} or nothing, not ${quoted(cell)}.`
    : undefined;
}

/** Whether a cell says that the contact joins the list; undefined if it says neither. */
export function joins(cell: string): boolean | undefined {
  const word = cell.trim().toLowerCase();
  return word === 'yes' ? true : word === 'no' ? false : undefined;
}

export function reasonOf(cell: string): SuppressionReason | undefined {
  const word = cell.trim().toLowerCase();
  return suppressionReasons.find((reason) => reason === word);
}

export function requireAsMany(columns: readonly PlannedColumn[], cells: readonly string[]): void {
  const counted = `${columns.length} ${columns.length === 1 ? 'column' : 'columns'}`;
  if (columns.length !== cells.length) throw invalid('columns', `names ${counted}; the header has ${cells.length}`);
}

function quoted(text: string): string {
  return JSON.stringify(text.length <= 100 ? text : `${text.slice(0, 100)}…`);
}
