import { Skeleton, VisuallyHidden } from '@mantine/core';
import { t } from '../../texts/shared.ts';
import type { Column } from './column.ts';
import classes from './data-table.module.css';

const rows = [0, 1, 2, 3, 4, 5, 6, 7];

/** The table before its rows: headings and grey lines exactly where the rows will be. */
export function TableSkeleton<Row>({ columns, label }: { columns: readonly Column<Row>[]; label: string }) {
  return (
    <div className={classes.card} role="status">
      <VisuallyHidden>{`${t.loading}: ${label}`}</VisuallyHidden>
      <table className={classes.table} aria-hidden="true">
        <thead>
          <tr>
            {columns.map(({ id, title, isUntitled }) => (
              <th key={id}>{isUntitled ? '' : title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row}>
              {columns.map(({ id }, at) => (
                <td key={id}>
                  <Skeleton height={12} width={`${[70, 55, 40, 60][(row + at) % 4]}%`} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
