// biome-ignore-all lint/a11y/noRedundantRoles: as cards, with display: block, the parts of a table would lose their roles
// The table for rows that the page has already loaded as part of a response.
import { useState } from 'react';
import { sortRows } from './column.ts';
import classes from './data-table.module.css';
import { TableBody } from './table-body.tsx';
import { TableHead } from './table-head.tsx';
import type { TableProps } from './table-props.ts';

export function LocalTable<Row>(props: Omit<TableProps<Row>, 'empty' | 'sort' | 'onSort'> & { all: readonly Row[] }) {
  const { all, label, columns, rowKey } = props;
  const [sort, setSort] = useState<string>();
  return (
    <div className={classes.card}>
      <table className={classes.table} role="table" aria-label={label}>
        <TableHead columns={columns} sort={sort} onSort={setSort} rowKeys={all.map(rowKey)} />
        <TableBody {...props} empty={null} rows={sortRows(all, columns, sort)} />
      </table>
    </div>
  );
}
