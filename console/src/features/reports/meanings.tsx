import type { Column } from '../../shared/table/column.ts';
import { t } from '../../texts/reports.ts';
import classes from './reports.module.css';

/** The definitions of a table's numbers, below it: on a phone, its headings, which normally have them, are hidden. */
export function Meanings<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  const defined = columns.filter(({ definition }) => definition !== undefined);
  return (
    <details className={classes.meanings}>
      <summary>{t.definitions}</summary>
      <dl>
        {defined.map(({ id, title, definition }) => (
          <div key={id}>
            <dt>{title}</dt>
            <dd>{definition}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
