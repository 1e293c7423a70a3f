import type { ReactNode } from 'react';

export interface Column<Row> {
  id: string;
  title: string;
  cell: (row: Row) => ReactNode;
  /** The `sort` value for either direction, or for the only one there is, as the API takes it. Without it the column cannot be sorted. */
  sort?: { up?: string; down?: string };
  /** If all rows are on the page: the value to sort them by, without a request. */
  sortBy?: (row: Row) => string | number | null;
  /** Numbers are aligned to the end of their cell. */
  isNumber?: boolean;
  /** The definition of its numbers: one click away in the heading. */
  definition?: string;
  /** Has no visible heading: an action, a checkmark. */
  isUntitled?: boolean;
  /** One small button: on a phone it is beside the name, not below everything. */
  isIcon?: boolean;
  /** On a phone an empty cell takes no line. */
  isEmpty?: (row: Row) => boolean;
  width?: string;
}

/** The value of `sort` after a click on a heading: up, down, up … */
export function nextSort<Row>(column: Column<Row>, current: string | undefined): string | undefined {
  const { up, down } = waysOf(column);
  return current === up ? (down ?? up) : (up ?? down);
}

export function sortState<Row>(column: Column<Row>, current: string | undefined) {
  const { up, down } = waysOf(column);
  if (up === undefined && down === undefined) return undefined;
  if (current === undefined) return 'none' as const;
  if (current === up) return 'ascending' as const;
  return current === down ? ('descending' as const) : ('none' as const);
}

function waysOf<Row>({ sort, sortBy, id }: Column<Row>): { up?: string; down?: string } {
  return sort ?? (sortBy ? { up: id, down: `-${id}` } : {});
}

const order = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** The rows in a column's order; unset values come last in either direction. */
export function sortRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sort: string | undefined): Row[] {
  const isDown = sort?.startsWith('-') ?? false;
  const by = columns.find(({ id }) => id === (isDown ? sort?.slice(1) : sort))?.sortBy;
  if (!by) return [...rows];
  return rows.toSorted((one, other) => {
    const [a, b] = [by(one), by(other)];
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    const way = typeof a === 'number' && typeof b === 'number' ? a - b : order.compare(String(a), String(b));
    return isDown ? -way : way;
  });
}
