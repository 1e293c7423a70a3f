import type { ReactNode } from 'react';
import type { Column } from './column.ts';

interface Picking<Row> {
  picked: ReadonlySet<string>;
  onPick: (picked: Set<string>) => void;
  /** How the row is called, for whoever hears the check box. */
  nameOf: (row: Row) => string;
}

export interface TableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  /** Where a click anywhere on the row leads. */
  href?: (row: Row) => string;
  /** Instead of a place: what a click does. */
  onOpen?: (row: Row) => void;
  sort?: string | undefined;
  onSort?: (sort: string | undefined) => void;
  picking?: Picking<Row>;
  empty: ReactNode;
}
