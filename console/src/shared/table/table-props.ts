import type { ReactNode } from 'react';
import type { Column } from './column.ts';

interface Picking<Row> {
  picked: ReadonlySet<string>;
  onPick: (picked: Set<string>) => void;
  /** The name of the row, for screen readers at the checkbox. */
  nameOf: (row: Row) => string;
}

export interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  /** Where a click anywhere on the row leads. */
  href?: (row: Row) => string;
  /** Instead of a link: what a click does. */
  onOpen?: (row: Row) => void;
  sort?: string | undefined;
  onSort?: (sort: string | undefined) => void;
  picking?: Picking<Row>;
  empty: ReactNode;
}
