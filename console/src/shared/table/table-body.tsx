// biome-ignore-all lint/a11y/noRedundantRoles: as cards, with display: block, the parts of a table would lose their roles
import type { TableProps } from './table-props.ts';
import { TableRow } from './table-row.tsx';

export function TableBody<Row>({ rows, ...props }: TableProps<Row> & { rows: readonly Row[] }) {
  return (
    <tbody role="rowgroup">
      {rows.map((row) => (
        <TableRow key={props.rowKey(row)} {...props} row={row} />
      ))}
    </tbody>
  );
}
