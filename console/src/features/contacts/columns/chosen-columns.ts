// Which contact columns a user wants to see: kept in this browser, by workspace, because each has its own properties.

/** Besides the email, which is always there. */
export const ownColumns = ['name', 'createdAt', 'updatedAt', 'id'] as const;
export type OwnColumn = (typeof ownColumns)[number];
/** `p:` and the key of a property, which may have the name of a contact field. */
export type ColumnId = OwnColumn | `p:${string}`;

/** More would leave no room for any. */
export const mostColumns = 12;
const firstProperties = 3;
const nameKeys = new Set(['first_name', 'last_name']);

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>;
const place = (tenantId: number) => `rapport-columns:${tenantId}:contacts`;

/** The default: the properties that most contacts have. */
export function firstColumns(properties: readonly { key: string; share: number }[]): ColumnId[] {
  const common = properties
    .filter(({ key, share }) => share > 0 && !nameKeys.has(key))
    .toSorted((one, other) => other.share - one.share || one.key.localeCompare(other.key))
    .slice(0, firstProperties);
  return ['name', ...common.map(({ key }): ColumnId => `p:${key}`), 'createdAt'];
}

export function readColumns(storage: Storage, tenantId: number): ColumnId[] | undefined {
  try {
    const kept: unknown = JSON.parse(storage.getItem(place(tenantId)) ?? 'null');
    return Array.isArray(kept) ? kept.filter(isColumnId).slice(0, mostColumns) : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined: the default. */
export function keepColumns(storage: Storage, tenantId: number, columns: readonly ColumnId[] | undefined): void {
  try {
    if (columns) storage.setItem(place(tenantId), JSON.stringify(columns));
    else storage.removeItem(place(tenantId));
  } catch {
    // Full or forbidden: they apply for as long as the page is open.
  }
}

function isColumnId(value: unknown): value is ColumnId {
  return typeof value === 'string' && (value.startsWith('p:') || ownColumns.some((own) => own === value));
}

/** In the order in which they were chosen; the times stay at the end. */
export function toggleColumn(columns: readonly ColumnId[], id: ColumnId): ColumnId[] {
  if (columns.includes(id)) return columns.filter((each) => each !== id);
  if (columns.length >= mostColumns) return [...columns];
  const end = columns.findIndex((each) => each === 'createdAt' || each === 'updatedAt' || each === 'id');
  const at = id.startsWith('p:') && end >= 0 ? end : columns.length;
  return columns.toSpliced(at, 0, id);
}

const ownNames = new Set(['id', 'email', 'createdAt', 'updatedAt']);

/** The export's names for them. A name is two properties there. */
export function exportColumns(columns: readonly ColumnId[], known: ReadonlySet<string>): string {
  const keys = columns.flatMap((id) => {
    if (id === 'name') return [...nameKeys].filter((key) => known.has(key));
    if (!id.startsWith('p:')) return [id];
    const key = id.slice(2);
    if (!known.has(key)) return [];
    return [ownNames.has(key) ? `properties.${key}` : key];
  });
  return [...new Set(['email', ...keys])].join(',');
}
