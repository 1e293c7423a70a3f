import type { TableProps } from './data-table.tsx';
import { TableRow } from './table-row.tsx';

export function TableBody<Row>({ rows, ...props }: TableProps<Row> & { rows: readonly Row[] }) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: as cards, with display: block, it would lose its role
    <tbody role="rowgroup">
      {rows.map((row) => (
        <TableRow key={props.rowKey(row)} {...props} row={row} />
      ))}
    </tbody>
  );
}
