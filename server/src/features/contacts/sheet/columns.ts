// The columns of a contacts file, and how their cells are written.
import { isPropertyKey } from '@rapport/contract';
import type { Database } from '../../../db/database.js';
import { invalid } from '../../../http/api-error.js';
import { selectKnownKeys, selectPropertyKeys } from '../property-keys/queries.js';
import type { ContactRow } from '../queries.js';

type Cell = string | number | null;
export interface Column {
  name: string;
  cellOf(contact: ContactRow): Cell;
}

const own: Readonly<Record<string, (contact: ContactRow) => Cell>> = {
  id: ({ id }) => id,
  email: ({ email }) => email,
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
};
/** Prefix for a property whose name is also a built-in column. */
const prefix = 'properties.';
const mostColumns = 1000;

/** The columns the caller names. Without any: the email and every property, which is what an import accepts. */
export async function columnsOf(db: Database, tenantId: number, names: string | undefined): Promise<Column[]> {
  if (names === undefined) return everyColumn(db, tenantId);
  const wanted = names.split(',').map((name) => name.trim());
  if (wanted.length > mostColumns) throw invalid('columns', `must name at most ${mostColumns.toLocaleString('en')}`);
  if (new Set(wanted).size < wanted.length) throw invalid('columns', 'must name each column once');
  const keys = wanted.filter((name) => !Object.hasOwn(own, name)).map(keyOf);
  const known = await selectKnownKeys(db, tenantId, keys.filter(isPropertyKey));
  const unknown = keys.find((key) => !known.has(key));
  if (unknown !== undefined)
    throw invalid(
      'columns',
      `has "${unknown}", which is no property that a contact has had, nor ${Object.keys(own).join(', ')}`,
    );
  return wanted.map(columnOf);
}

async function everyColumn(db: Database, tenantId: number): Promise<Column[]> {
  const { rows, total } = await selectPropertyKeys(db, tenantId, [], { limit: mostColumns - 1, offset: 0 });
  if (total > rows.length)
    throw invalid(
      'columns',
      `is required: there are ${total.toLocaleString('en')} properties; name those that you want`,
    );
  const ofProperties = rows.map(({ key }) => (Object.hasOwn(own, key) ? `${prefix}${key}` : key));
  return ['email', ...ofProperties].map(columnOf);
}

function keyOf(name: string): string {
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

function columnOf(name: string): Column {
  const ownCell = Object.hasOwn(own, name) ? own[name] : undefined;
  const key = keyOf(name);
  return {
    name,
    cellOf: ownCell ?? (({ properties }) => cellOf(Object.hasOwn(properties, key) ? properties[key] : null)),
  };
}

/** A list is written as JSON, because its elements may contain any character. */
function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number') return value;
  return typeof value === 'boolean' ? String(value) : JSON.stringify(value);
}
